# The list of claims against the proofs.  Run by `make`; see README.md.
#
#   perl check.pl             fails unless every theorem is listed, and every listed theorem is proved
#                             from the listed assumptions
#   perl check.pl --list      only the list of theorems, without asking Coq (quick)
#   perl check.pl --update    brings headline.txt, assumptions.txt and the table of README.md up to date;
#                             the line of a new theorem comes from the comment before it,
#                             (** Claim [id] [id]. One sentence. *)
#
# Every `Theorem` and `Corollary` is a headline: it has one line in headline.txt (`Lemma` is for steps).
use strict;
use warnings;

my $mode = shift // '';

# Coq's own axioms of the real numbers and of the classical logic that they rest on.
my %allowed = map { $_ => 1 } qw(
    ClassicalDedekindReals.sig_forall_dec ClassicalDedekindReals.sig_not_dec
    FunctionalExtensionality.functional_extensionality_dep Classical_Prop.classic
);

sub slurp { my ($f) = @_; open(my $h, '<', $f) or die "$f: $!\n"; local $/; return scalar <$h>; }
sub spew { my ($f, $text) = @_; open(my $h, '>', $f) or die "$f: $!\n"; print $h $text; close $h; }

my @problems;

# The theorems of the sources, in reading order, with the comment before each.
my (@proved, %comment);
for my $module (map { /^(\w+)\.v$/ ? $1 : () } split /\n/, slurp('_CoqProject')) {
    my $text = slurp("$module.v");
    my $note = qr/(\(\*(?:[^(*]|\*(?!\))|\((?!\*)|(?-1))*\*\))/;
    while ($text =~ /$note|^[ \t]*(?:Theorem|Corollary)\s+([\w']+)/gm) {
        if (defined $2) { push @proved, "$module.$2" }
        else {
            my $c = $1;
            if ($text =~ /\G\s*(?:Theorem|Corollary)\s+([\w']+)/) { $comment{"$module.$1"} = $c }
        }
    }
}

# headline.txt: theorem | module | claim ids | sentence
my (@listed, %claims, %sentence, $head);
$head = '';
for (split /\n/, slurp('headline.txt')) {
    if (/^\s*(#|$)/) { $head .= "$_\n"; next }
    my ($name, $module, $ids, $sentence) = split /\s*\|\s*/, $_, 4;
    if (!defined $sentence || $sentence !~ /\S/) { push @problems, "headline.txt: four fields wanted: $_"; next }
    push @problems, "headline.txt: $name is listed twice" if exists $sentence{"$module.$name"};
    push @listed, "$module.$name";
    $claims{"$module.$name"} = $ids;
    $sentence{"$module.$name"} = $sentence;
}
if ($mode eq '--update') {
    for my $full (grep { !exists $sentence{$_} } @proved) {
        my $c = $comment{$full} // '';
        $c =~ s/^\(\*+\s*|\s*\*\)$//g;
        my $ids = $c =~ s/^Claims?\s+((?:\[[\w-]+\],?\s*(?:and\s+)?)+)\.?\s*// ? $1 : '';
        $c =~ s/\s+/ /g;
        if ($c !~ /\S/) { ($c) = $full =~ /\.(.*)/; $c =~ tr/_/ /; $c .= '.' }
        $claims{$full} = join ' ', $ids =~ /\[([\w-]+)\]/g;
        $sentence{$full} = ucfirst $c;
    }
    @listed = grep { exists $sentence{$_} } @proved;
    spew('headline.txt', $head . join '', map { my ($m, $n) = split /\./; "$n | $m | $claims{$_} | $sentence{$_}\n" } @listed);
}
my %is_proved = map { $_ => 1 } @proved;
for (@listed) { push @problems, "headline.txt lists $_, which no source proves" unless $is_proved{$_} }
for (@proved) { push @problems, "$_ is not in headline.txt (`make update` adds it)" unless exists $sentence{$_} }
for my $full (@listed) {
    my ($module) = split /\./, $full;
    my $text = -e "$module.v" ? slurp("$module.v") : '';
    for my $id (split ' ', $claims{$full}) {
        push @problems, "headline.txt: no comment of $module.v names the claim $id of $full"
            if index($text, "[$id]") < 0;
    }
}
if (@problems) { print "$_\n" for @problems; exit 1 }
exit 0 if $mode eq '--list';

# What each theorem assumes, asked of Coq (by --update only for new theorems).
my %assumes;
if ($mode eq '--update' && -e 'assumptions.txt') {
    for (split /\n/, slurp('assumptions.txt')) {
        my ($full, $rest) = split /: /, $_, 2;
        $assumes{$full} = $rest =~ /^Closed/ ? [] : [split ' ', $rest];
    }
}
my @asked = grep { !exists $assumes{$_} } @listed;
if (@asked) {
    my %modules = map { (split /\./)[0] => 1 } @asked;
    my $source = "(* Written by check.pl: the assumptions of every headline theorem. *)\n"
        . "From EmbeddedHunter Require " . join(' ', sort keys %modules) . ".\n";
    $source .= "Goal True. idtac \"@ $_\". Abort.\nPrint Assumptions EmbeddedHunter.$_.\n" for @asked;
    spew('Check.v', $source);
    my $output = `coqc -Q . EmbeddedHunter Check.v 2>&1`;
    if ($?) { print $output; exit 1 }
    my $current;
    for (split /\n/, $output) {
        if (/^@ (\S+)/) { $current = $1; $assumes{$current} = [] }
        elsif (/^Closed under the global context|^Axioms:|^\s|^$/) { }
        elsif (/^([\w.']+)\s*(:|$)/ && defined $current) { push @{$assumes{$current}}, $1 }
        else { print "unexpected answer of Coq: $_\n"; exit 1 }
    }
}
my $list = '';
for my $full (@listed) {
    my @axioms = sort @{$assumes{$full} // die "no answer about $full\n"};
    for (@axioms) {
        push @problems, "$full rests on $_, which is no standard axiom of the reals" unless $allowed{$_};
    }
    $list .= "$full: " . (@axioms ? join(' ', @axioms) : 'Closed under the global context') . "\n";
}

# The table of README.md.
my $table = "| theorem | what it says | claims | file | assumptions |\n|---|---|---|---|---|\n";
for my $full (@listed) {
    my ($module, $name) = split /\./, $full;
    my $rest = @{$assumes{$full}} ? "axioms of the reals" : "none";
    my $ids = join ' ', map { "`$_`" } split ' ', $claims{$full};
    my $what = $sentence{$full}; $what =~ s/\|/\\|/g;
    $table .= "| `$name` | $what | $ids | `$module.v` | $rest |\n";
}
my $readme = slurp('README.md');
(my $fresh = $readme) =~ s/(<!-- theorems -->\n).*?(<!-- end of theorems -->)/$1$table$2/s;
if ($mode eq '--update') {
    spew('assumptions.txt', $list);
    spew('README.md', $fresh);
} else {
    push @problems, 'assumptions.txt differs from what Coq prints (`make update` writes it anew; read the difference)'
        if slurp('assumptions.txt') ne $list;
    push @problems, 'the table of README.md is out of date (`make update`)' if $fresh ne $readme;
}
if (@problems) { print "$_\n" for @problems; exit 1 }
if ($mode eq '--update') { print "headline.txt, assumptions.txt and README.md are up to date: read what changed\n"; exit 0 }
printf "all claims checked: %d theorems, assumptions as listed\n", scalar @listed;
