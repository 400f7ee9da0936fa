# Leaves in ../.evidence/theorems.txt what `make` has just checked, for `python -m reproduction claims`: the
# commit, and what each theorem assumes (statements.txt).  Evidence of other proofs does not count.
set -eu
cd "$(dirname "$0")"
mkdir -p ../.evidence
{
  changed=$(git status --porcelain -- . 2>/dev/null | head -1)
  echo "commit $(git rev-parse --short=10 HEAD 2>/dev/null || echo unknown)${changed:++}"
  sed -n 's/^\([^ ][^ ]*\) | [^|]* | \([^|]*\) | .*/\1: \2/p' statements.txt
} > ../.evidence/theorems.new
mv ../.evidence/theorems.new ../.evidence/theorems.txt
