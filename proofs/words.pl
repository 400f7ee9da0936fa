# Fails if a Rocq source says something that leaves a statement unproved, or that turns a check of Rocq off.
# Comments and strings are skipped as Rocq skips them: strings inside comments count, and the other way round.
use strict;
use warnings;

# Words that have no place in a source.  (A module could hold a hypothesis in disguise; nothing here needs one.)
my $forbidden = qr/\b(Admitted|admit|Admit|give_up|Axioms?|Parameters?|Conjectures?|Primitive|Symbols?
    |Module|Opaque|Strategy|Declare\s+ML|Load|Unset\s+[\w\s]*Checking|Set\s+Impredicative|bypass_check|type_in_type)\b/x;

# Assumptions, if they stand outside a section.
my $assumption = qr/^(Hypothesis|Hypotheses|Variables?|Context)\b/;

# The source without comments and with empty strings.
sub code {
    my ($text) = @_;
    my ($code, $depth) = ('', 0);
    while ($text =~ /\G(?:(\(\*)|(\*\))|("(?:[^"]|"")*"?)|([^"(*]+|[(*]))/gcs) {
        if (defined $1) { $depth++ }
        elsif (defined $2 && $depth) { $depth--; $code .= ' ' unless $depth }
        elsif ($depth) { }
        elsif (defined $3) { $code .= '""' }
        else { $code .= $2 // $4 }
    }
    return $code;
}

my $bad = 0;
for my $file (@ARGV) {
    open(my $source, '<', $file) or die "$file: $!";
    my $code = code(do { local $/; scalar <$source> });
    while ($code =~ /$forbidden/g) {
        (my $word = $1) =~ s/\s+/ /g;
        print "$file: forbidden word $word\n";
        $bad = 1;
    }
    my $sections = 0;
    for (split /\.(?=\s|$)/, $code) {
        s/^[\s{}*+-]+//;
        s/^(?:#\[[^\]]*\]|Local|Global|Polymorphic|Monomorphic|Cumulative|Private)\s*//
            while /^(?:#\[|(?:Local|Global|Polymorphic|Monomorphic|Cumulative|Private)\b)/;
        $sections++ if /^Section\b/;
        $sections-- if /^End\b/;
        if (!$sections && /$assumption/) {
            print "$file: $1 outside a section\n";
            $bad = 1;
        }
    }
}
exit $bad;
