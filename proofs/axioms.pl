# The axioms that theorems rest on, by full path and type: Rocq's answers to `About` on standard input.
# Fails if one is not an axiom of Rocq's own real numbers or of their logic, or does not say what that axiom says.
use strict;
use warnings;

my %type = (
    'Coq.Reals.ClassicalDedekindReals.sig_forall_dec' =>
        'forall P : nat -> Prop, (forall n : nat, {P n} + {~ P n}) -> {n : nat | ~ P n} + {forall n : nat, P n}',
    'Coq.Reals.ClassicalDedekindReals.sig_not_dec' => 'forall P : Prop, {~ ~ P} + {~ P}',
    'Coq.Logic.FunctionalExtensionality.functional_extensionality_dep' =>
        'forall {A : Type} {B : A -> Type} (f g : forall x : A, B x), (forall x : A, f x = g x) -> f = g',
    'Coq.Logic.Classical_Prop.classic' => 'forall P : Prop, P \/ ~ P',
);

my $text = do { local $/; scalar <STDIN> };
my ($answers, $bad) = (0, 0);
while ($text =~ /\G\s*([\w.']+)\s*:\s*(.*?)\n\n.*?^Expands to:\s+(\w+)\s+([\w.']+)\s*/gcms) {
    my ($name, $type, $kind, $path) = ($1, $2, $3, $4);
    $type =~ s/\s+/ /g;
    $answers++;
    if ($kind ne 'Constant' || !exists $type{$path}) {
        print "axiom $name is $path, which is no standard axiom of the reals\n";
        $bad = 1;
    } elsif ($type ne $type{$path}) {
        print "axiom $path says\n  $type\nwhich is not\n  $type{$path}\n";
        $bad = 1;
    }
}
if ($text =~ /\G\s*(\S.*)/gc) { print "unexpected answer of Rocq: $1\n"; $bad = 1 }
if (@ARGV && $ARGV[0] != $answers) { print "$ARGV[0] axioms asked for, $answers answers\n"; $bad = 1 }
exit $bad;
