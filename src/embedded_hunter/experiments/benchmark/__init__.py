"""`embedded-hunter compare`: every method that a user could pick, on the same black boxes.

``black_box``
    What a method sees: values, a budget that ends exactly, a cube that cannot be left.
``embeddings``
    The linear maps of REMBO and HeSBO.
``embedded``, ``others``
    The methods: this project's, and those of other libraries.
``plan``, ``runs``
    Which runs there are, and one run as a pure function of what names it.
``results``, ``overhead``, ``campaign``
    Their files, and what makes them.
``statistics``, ``report``, ``pages``, ``figure``
    What is made of the files.
"""
