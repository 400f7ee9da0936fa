Lattice.vo Lattice.glob Lattice.v.beautified Lattice.required_vo: Lattice.v 
Lattice.vio: Lattice.v 
Lattice.vos Lattice.vok Lattice.required_vos: Lattice.v 
Model.vo Model.glob Model.v.beautified Model.required_vo: Model.v Lattice.vo
Model.vio: Model.v Lattice.vio
Model.vos Model.vok Model.required_vos: Model.v Lattice.vos
Vectors.vo Vectors.glob Vectors.v.beautified Vectors.required_vo: Vectors.v 
Vectors.vio: Vectors.v 
Vectors.vos Vectors.vok Vectors.required_vos: Vectors.v 
Expectation.vo Expectation.glob Expectation.v.beautified Expectation.required_vo: Expectation.v Vectors.vo
Expectation.vio: Expectation.v Vectors.vio
Expectation.vos Expectation.vok Expectation.required_vos: Expectation.v Vectors.vos
Moments.vo Moments.glob Moments.v.beautified Moments.required_vo: Moments.v Vectors.vo Expectation.vo
Moments.vio: Moments.v Vectors.vio Expectation.vio
Moments.vos Moments.vok Moments.required_vos: Moments.v Vectors.vos Expectation.vos
SignMatrices.vo SignMatrices.glob SignMatrices.v.beautified SignMatrices.required_vo: SignMatrices.v Vectors.vo Expectation.vo Moments.vo
SignMatrices.vio: SignMatrices.v Vectors.vio Expectation.vio Moments.vio
SignMatrices.vos SignMatrices.vok SignMatrices.required_vos: SignMatrices.v Vectors.vos Expectation.vos Moments.vos
Ceiling.vo Ceiling.glob Ceiling.v.beautified Ceiling.required_vo: Ceiling.v Vectors.vo Expectation.vo
Ceiling.vio: Ceiling.v Vectors.vio Expectation.vio
Ceiling.vos Ceiling.vok Ceiling.required_vos: Ceiling.v Vectors.vos Expectation.vos
CeilingOfTheMean.vo CeilingOfTheMean.glob CeilingOfTheMean.v.beautified CeilingOfTheMean.required_vo: CeilingOfTheMean.v Vectors.vo Expectation.vo Ceiling.vo
CeilingOfTheMean.vio: CeilingOfTheMean.v Vectors.vio Expectation.vio Ceiling.vio
CeilingOfTheMean.vos CeilingOfTheMean.vok CeilingOfTheMean.required_vos: CeilingOfTheMean.v Vectors.vos Expectation.vos Ceiling.vos
Collapse.vo Collapse.glob Collapse.v.beautified Collapse.required_vo: Collapse.v Vectors.vo Expectation.vo Moments.vo SignMatrices.vo Ceiling.vo
Collapse.vio: Collapse.v Vectors.vio Expectation.vio Moments.vio SignMatrices.vio Ceiling.vio
Collapse.vos Collapse.vok Collapse.required_vos: Collapse.v Vectors.vos Expectation.vos Moments.vos SignMatrices.vos Ceiling.vos
Geometry.vo Geometry.glob Geometry.v.beautified Geometry.required_vo: Geometry.v Lattice.vo
Geometry.vio: Geometry.v Lattice.vio
Geometry.vos Geometry.vok Geometry.required_vos: Geometry.v Lattice.vos
Norms.vo Norms.glob Norms.v.beautified Norms.required_vo: Norms.v Lattice.vo Geometry.vo
Norms.vio: Norms.v Lattice.vio Geometry.vio
Norms.vos Norms.vok Norms.required_vos: Norms.v Lattice.vos Geometry.vos
