# What Rocq's independent checker says that the compiled files rest on: `coqchk -o` on standard input.
# Fails unless it is exactly Rocq's own axioms of the real numbers and of their logic, by full path.
use strict;
use warnings;

my %expected = (
    'Theory' => ['Set is predicative'],
    'Axioms' => [qw(
        Coq.Logic.Classical_Prop.classic
        Coq.Logic.FunctionalExtensionality.functional_extensionality_dep
        Coq.Reals.ClassicalDedekindReals.sig_forall_dec
        Coq.Reals.ClassicalDedekindReals.sig_not_dec
    )],
    'Constants/Inductives relying on type-in-type' => ['<none>'],
    'Constants/Inductives relying on unsafe (co)fixpoints' => ['<none>'],
    'Inductives whose positivity is assumed' => ['<none>'],
);

my (%found, $title);
while (<STDIN>) {
    if (/^\* ([^:]+):\s*(.*?)\s*$/) {
        $title = $1;
        $found{$title} = [$2 eq '' ? () : $2];
    } elsif (defined $title && /^\s+(\S.*?)\s*$/) {
        push @{$found{$title}}, $1;
    } elsif (/\S/ && !/^(CONTEXT SUMMARY|=+)$/) {
        chomp;
        push @{$found{"unexpected line: $_"}}, '';
    }
}
my $bad = 0;
my %all = (%expected, %found);
for (sort keys %all) {
    my $want = join ' ', sort @{$expected{$_} // ['(not to be said)']};
    my $is = join ' ', sort @{$found{$_} // ['(not said)']};
    next if $want eq $is;
    print "coqchk: $_: expected $want, found $is\n";
    $bad = 1;
}
exit $bad;
