# Leaves in ../.evidence/theorems.txt of which commit the proofs are that `make` has just checked, for
# `python -m reproduction claims`; what each theorem assumes is in statements.txt.
set -eu
cd "$(dirname "$0")"
mkdir -p ../.evidence
changed=$(git status --porcelain -- . 2>/dev/null | head -1)
echo "$(git rev-parse --short=10 HEAD 2>/dev/null || echo unknown)${changed:++}" > ../.evidence/theorems.new
mv ../.evidence/theorems.new ../.evidence/theorems.txt
