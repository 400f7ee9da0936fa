"""`embedded-hunter compare`: every method that a user could pick, on the same black boxes.

``black_box``
    What a method sees: values, a budget that ends exactly, a cube that cannot be left.
``embeddings``
    The linear maps of REMBO and HeSBO.
``embedded``, ``others``
    The methods: this project's, and those of other libraries.
``plan``, ``runs``
    Which runs there are, and one run as a pure function of what names it.
``statistics``, ``report``, ``figure``, ``overhead``
    What is made of the results.
"""
