# Leaves in ../.evidence/theorems.txt what `make` has just checked, for `python -m reproduction claims`: the
# hash of the sources and of the files of the checks, the commit, and what each theorem assumes (statements.txt).  Evidence of other sources does not count.
set -eu
cd "$(dirname "$0")"
mkdir -p ../.evidence
{
  echo "sources $(LC_ALL=C; cat $(grep '[.]v$' _CoqProject) _CoqProject Makefile *.ltac2 *.py *.sh *.txt 2>/dev/null | sha256sum | cut -d' ' -f1)"
  changed=$(git status --porcelain -- . 2>/dev/null | head -1)
  echo "commit $(git rev-parse --short=10 HEAD 2>/dev/null || echo unknown)${changed:++}"
  sed -n 's/^\([^ ][^ ]*\) | [^|]* | \([^|]*\) | .*/\1: \2/p' statements.txt
} > ../.evidence/theorems.new
mv ../.evidence/theorems.new ../.evidence/theorems.txt
