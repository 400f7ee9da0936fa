# Leaves in ../.evidence/theorems.txt what `make` has just checked, for `python -m reproduction claims`: the
# hash of the sources and of the files of the checks, the commit, and assumptions.txt.  Evidence of other sources does not count.
set -eu
cd "$(dirname "$0")"
mkdir -p ../.evidence
{
  checks=$(for f in _CoqProject Makefile assumptions.txt axioms.pl check.pl checked.pl evidence.sh headline.txt statements.txt words.pl; do
    if [ -f "$f" ]; then echo "$f"; fi; done)
  echo "sources $(cat $(grep '[.]v$' _CoqProject) $checks | sha256sum | cut -d' ' -f1)"
  changed=$(git status --porcelain -- . 2>/dev/null | head -1)
  echo "commit $(git rev-parse --short=10 HEAD 2>/dev/null || echo unknown)${changed:++}"
  cat assumptions.txt
} > ../.evidence/theorems.new
mv ../.evidence/theorems.new ../.evidence/theorems.txt
