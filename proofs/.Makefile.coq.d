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
