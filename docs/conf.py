"""The site: one command builds it, offline and without a warning (CONTRIBUTING.md)."""

import sys
import tomllib
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any

from PIL import Image
from sphinx.application import Sphinx
from sphinx_proof.domain import ProofDomain

HERE = Path(__file__).parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE / "_ext"), str(ROOT / "src")]

import docstrings  # noqa: E402

from embedded_hunter import __version__  # noqa: E402

project = "EmbeddedHunter"
author = "The EmbeddedHunter reference developers"
copyright = "the EmbeddedHunter reference developers, BSD-3-Clause"
release = version = __version__
language = "en"
smartquotes_action = "qe"  # two hyphens begin an option

extensions = [
    "myst_nb",  # Markdown, and the notebook
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.intersphinx",
    "sphinx.ext.mathjax",
    "sphinx.ext.linkcode",
    "sphinx_autodoc_typehints",
    "sphinx_proof",
    "sphinxcontrib.bibtex",
    "sphinx_design",
    "sphinx_copybutton",
]
OURS = [  # in docs/_ext
    "docstrings", "listings", "claim_links", "claims_table", "algorithm", "player",
    "specification", "committed", "goals", "rocq", "accessible",
]  # fmt: skip
root_doc = "index"
templates_path = ["_templates"]
# gallery/ holds the scripts; sphinx-gallery writes their pages to auto_gallery/.
exclude_patterns = [
    "_build", "_inv", "_templates", "gallery", "auto_gallery/*.ipynb", "sg_execution_times.rst",
    "paper.md",  # in the form of a journal
    "optunahub",  # a package for another site
]  # fmt: skip
nitpicky = True
default_role = "code"  # `name` in a docstring
suppress_warnings = ["config.cache"]  # typehints_formatter is a function

html_theme = "furo"
html_title = "EmbeddedHunter"
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"]
html_theme_options = {"source_edit_link": f"{REPOSITORY}/edit/main/docs/{{filename}}"}
html_context = {"repository": REPOSITORY}
html_sidebars = {
    "**": [
        "sidebar/brand.html", "sidebar/search.html", "sidebar/scroll-start.html",
        "sidebar/navigation.html", "sidebar/version.html", "sidebar/scroll-end.html",
    ]
}  # fmt: skip
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_search_scorer = str(HERE / "_static" / "scorer.js")
html_copy_source = False
html_use_index = False  # the search finds its entries
html_show_sphinx = False
html_domain_indices = False  # api/index.md is one to read
pygments_style = "a11y-high-contrast-light"  # of the package accessible-pygments, like furo
pygments_dark_style = "a11y-high-contrast-dark"

# Formulas: MathJax from the npm package mathjax 3.2.2, one file; nothing is fetched.
mathjax_path = "tex-svg-full.js"
mathjax3_config = {
    "options": {"enableMenu": False},
    "tex": {"macros": {"R": r"\mathbb{R}", "E": r"\mathbb{E}", "P": r"\mathbb{P}"}},
    "svg": {"fontCache": "local"},
}
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
myst_url_schemes = ("http", "https", "mailto", "source")  # the last one: _ext/listings.py

# The notebook is run when it has changed, or when there is no build yet.
nb_execution_mode = "cache"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 300

# Numbers: one counter for each kind of statement, over all pages; tests/repository/site compares
# them with those of the paper.
numfig = True
numfig_secnum_depth = 0
math_numfig = True

bibtex_bibfiles = ["refs.bib"]
bibtex_reference_style = "author_year"

# The reference has a page for each package, with all of its modules.
PACKAGES = [
    f"embedded_hunter.{path.parent.name}" for path in ROOT.glob("src/embedded_hunter/*/__init__.py")
]
autosummary_context = {"packages": PACKAGES}
autodoc_member_order = "bysource"
autodoc_default_options = {"show-inheritance": True}
autodoc_mock_imports = ["optuna", "nevergrad"]  # their adapters are documented without them
autodoc_typehints = "none"  # sphinx_autodoc_typehints does it
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_preprocess_types = False
typehints_defaults = "comma"
typehints_formatter = docstrings.formatted
always_use_bars_union = True
nitpick_ignore = [
    ("py:obj", "embedded_hunter.run.policy.S"),  # a type variable
    ("py:class", "matplotlib.figure.Figure"),  # no inventory of Matplotlib is kept
    ("py:exc", "ArgumentTypeError"),  # argparse documents it without an index entry
    ("py:class", "concurrent.futures.process.ProcessPoolExecutor"),  # documented one level higher
]
nitpick_ignore_regex = [("py:class", r"(optuna|nevergrad)\..*")]  # not installed here

copybutton_prompt_text = "$ "

if (HERE / "gallery").is_dir():
    extensions.append("sphinx_gallery.gen_gallery")
    sphinx_gallery_conf = {
        "examples_dirs": "gallery",
        "gallery_dirs": "auto_gallery",
        "filename_pattern": r"\.py",
        "abort_on_example_error": True,
        "min_reported_time": 1e9,
        "show_memory": False,
        "show_signature": False,
        "download_all_examples": False,
        "write_computation_times": False,
        "within_subsection_order": "FileNameSortKey",
        "plot_gallery": "True",
        "parallel": True,
    }


def numpy_inventory() -> str:
    """Pack the list of NumPy's names that are in use into Sphinx's format."""
    lines = (HERE / "_inv" / "numpy.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    body = "".join(line for line in lines if not line.startswith("#"))
    packed = HERE / "_build" / "numpy.inv"
    packed.parent.mkdir(parents=True, exist_ok=True)
    head = (
        "# Sphinx inventory version 2\n# Project: NumPy\n# Version: \n"
        "# The remainder of this file is compressed using zlib.\n"
    )
    packed.write_bytes(head.encode() + zlib.compress(body.encode(), 9))
    return str(packed)


intersphinx_mapping = {
    "python": ("https://docs.python.org/3", str(HERE / "_inv" / "python.inv")),
    "numpy": ("https://numpy.org/doc/stable", numpy_inventory()),
    "scipy": ("https://docs.scipy.org/doc/scipy", str(HERE / "_inv" / "scipy.inv")),
}


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    """Link an object to its lines in the rendered source."""
    from listings import address_of_object

    return address_of_object(info["module"], info["fullname"]) if info.get("module") else None


def no_edit_link(app: Sphinx, page: str, template: str, context: Any, doctree: object) -> None:
    """Leave out the link to edit a page that a program has written."""
    if page.startswith(("api/generated/", "auto_gallery/")):
        context["page_source_suffix"] = ""


def with_few_colours(app: Sphinx, error: Exception | None) -> None:
    """Write the pictures of the gallery with 256 colours: a third of the size."""
    for path in Path(app.outdir, "_images").glob("sphx_glr_*.png"):
        with Image.open(path) as picture:
            if picture.mode != "P":
                picture.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(path)


def setup(app: Sphinx) -> None:
    """Set up our own extensions; all of them can work in several processes."""
    app.connect("build-finished", with_few_colours)
    app.connect("html-page-context", no_edit_link)
    ProofDomain.merge_domaindata = lambda *_: None  # it has no data to be merged
    for name in OURS:
        import_module(name).setup(app)
