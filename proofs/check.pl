# The list of claims against the proofs.  Run by `make`; see README.md.
#
#   perl check.pl             fails unless every theorem is listed, and every listed theorem is proved
#                             from the assumptions that assumptions.txt lists, says what
#                             statements.txt says and means what meanings.txt says
#   perl check.pl --list      only the list of theorems, without asking Rocq (quick)
#   perl check.pl --update    brings headline.txt, assumptions.txt, statements.txt, meanings.txt and the
#                             table of README.md up to date; claims, and the line of a new theorem, come from the
#                             comment before it, (** Claim [id] [id]. One sentence. *)
#
# Every `Theorem` and `Corollary` is a headline: it has one line in headline.txt, and names a claim of
# ../docs/claims.toml.  `Lemma` is for steps.
use strict;
use warnings;
use File::Find;

my $mode = shift // '';

sub slurp { my ($f) = @_; open(my $h, '<', $f) or die "$f: $!\n"; local $/; return scalar <$h>; }
sub spew { my ($f, $text) = @_; open(my $h, '>', $f) or die "$f: $!\n"; print $h $text; close $h; }

my @problems;

# The theorems of the sources, in reading order, with the comment before each.  A module is named by its base
# name alone, also in headline.txt, so no two files may share one; the order is that in which files and folders
# build on each other.
my (@modules, %file, %library, %project, @proved, %comment, %part, %done);
my ($part, $folder) = ('', '');
for (split /\n/, slurp('_CoqProject')) {
    if (/^#\s*(.*)/) { $part = $1; next }
    next unless m{^(\w+)/(\w+)\.v$};
    my $module = $2;
    push @problems, "$_: $file{$module} has the same base name" if exists $file{$module};
    push @problems, "_CoqProject comes back to the folder $1" if $1 ne $folder && $done{$1}++;
    $folder = $1;
    push @modules, $module;
    $project{$_} = 1;
    $file{$module} = $_;
    $library{$module} = "EmbeddedHunter.$folder.$module";
    $part{$module} = $part;
    my $text = slurp($file{$module});
    for my $used (map { split ' ' } $text =~ /^From EmbeddedHunter Require\s+(?:(?:Import|Export)\s+)?([^.]*)\./mg) {
        push @problems, "$_ requires $used, which _CoqProject lists later or not at all" unless exists $file{$used};
    }
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
# The ids and the sentence of the comment before a theorem.
sub commented {
    my ($full) = @_;
    my $c = $comment{$full} // '';
    $c =~ s/^\(\*+\s*|\s*\*\)$//g;
    my $ids = $c =~ s/^Claims?\s+((?:\[[\w-]+\],?\s*(?:and\s+)?)+)\.?\s*// ? $1 : '';
    $c =~ s/\s+/ /g;
    return (join(' ', $ids =~ /\[([\w-]+)\]/g), ucfirst $c);
}
if ($mode eq '--update') {
    for (@proved) {
        ($claims{$_}, my $new) = commented($_);
        $sentence{$_} //= $new;
    }
    @listed = grep { exists $sentence{$_} } @proved;
    spew('headline.txt', $head . join '', map { my ($m, $n) = split /\./; "$n | $m | $claims{$_} | $sentence{$_}\n" } @listed);
}
my %is_proved = map { $_ => 1 } @proved;
for (@listed) { push @problems, "headline.txt lists $_, which no source proves" unless $is_proved{$_} }
for (@proved) { push @problems, "$_ is not in headline.txt (`make update` adds it)" unless exists $sentence{$_} }
for my $full (@listed) {
    my ($ids) = commented($full);
    push @problems, "$full names no claim in the comment before it: name one, or make it a Lemma" if $ids eq '';
    push @problems, "headline.txt: $full has the claims $claims{$full}, its comment $ids"
        if join(' ', sort split ' ', $claims{$full}) ne join(' ', sort split ' ', $ids);
}
# A file outside _CoqProject is compiled by nothing here and looked at by no gate.
my @sources;
find({ no_chdir => 1, wanted => sub { push @sources, $_ if s{^\./}{} && /[.]v$/ && !m{^(mutation/|Check\.v)} } }, '.');
for (sort @sources) { push @problems, "$_ is not in _CoqProject" unless $project{$_} }
if (@problems) { print "$_\n" for @problems; exit 1 }
exit 0 if $mode eq '--list';

# Asks Rocq what each of several named terms assumes: [name, Rocq term] -> name => list of axioms.
sub ask_coq {
    my (@questions) = @_;
    my %modules;
    my $source = '';
    for (@questions) {
        my ($name, $term) = @$_;
        $modules{$1} = 1 while $term =~ /EmbeddedHunter\.(\w+\.\w+)\./g;
        $source .= "Definition asked_$name : True := $term.\nGoal True. idtac \"@ $name\". Abort.\n"
            . "Print Assumptions asked_$name.\n";
    }
    spew('Check.v', "(* Written by check.pl: the assumptions of the headline theorems. *)\n"
        . "From EmbeddedHunter Require " . join(' ', sort keys %modules) . ".\n" . $source);
    my $output = `coqc -Q . EmbeddedHunter Check.v 2>&1`;
    if ($?) { print $output; exit 1 }
    my (%answer, $current);
    for (split /\n/, $output) {
        if (/^@ (\S+)/) { $current = $1; $answer{$current} = [] }
        elsif (/^Closed under the global context|^Axioms:|^\s|^$/) { }
        elsif (/^([\w.']+)\s*(:|$)/ && defined $current) { push @{$answer{$current}}, $1 }
        else { print "unexpected answer of Rocq: $_\n"; exit 1 }
    }
    return %answer;
}

# statements.txt: what each theorem says, with all its hypotheses, as Rocq prints it.  Names are short where
# the theorem's own file can use them short.  Another version of Rocq may print another layout, so the
# version that printed a file is part of it.
my ($version) = split ' ', `coqc --print-version`;
my $printed_by = "as Rocq $version prints it.  Written by `make update`.\n";

sub statements {
    my %theorems;
    for (@listed) { my ($module, $name) = split /\./; push @{$theorems{$module}}, $name }
    my $source = '';
    for my $module (grep { $theorems{$_} } @modules) {
        my $text = slurp($file{$module});
        my @imports = $text =~ /^From EmbeddedHunter Require Import ([^.]*)\./m ? split(' ', $1) : ();
        my @scopes = $text =~ /^(?:Local )?(Open Scope \w+\.)/mg;
        $source .= "Module asked_$module.\n" . join('', map { "Import $library{$_}.\n" } @imports, $module)
            . join('', map { "$_\n" } @scopes)
            . join('', map { "Goal True. idtac \"@ $module.$_\". Abort.\nCheck \@$library{$module}.$_.\n" } @{$theorems{$module}})
            . "End asked_$module.\n";
    }
    spew('Check.v', "(* Written by check.pl: the statements of the headline theorems. *)\n"
        . "From Coq Require Import List Sorted ZArith QArith Reals.\nImport ListNotations.\nOpen Scope nat_scope.\n"
        . "From EmbeddedHunter Require " . join(' ', sort keys %theorems) . ".\n"
        . "Set Printing Width 100.\nSet Printing Depth 1000.\n" . $source);
    my $output = `coqc -Q . EmbeddedHunter Check.v 2>&1`;
    if ($?) { print $output; exit 1 }
    my ($text, $current) = ("Each theorem with all its hypotheses, $printed_by");
    for (split /\n/, $output) {
        if (/^@ (\S+)$/) { $current = $1; $text .= "\n$1\n" }
        elsif (/^\s/) { s/\s+$//; $text .= "$_\n" }
        elsif (!defined $current || !/^\@?[\w.']+$/) { print "unexpected answer of Rocq: $_\n"; exit 1 }
    }
    return $text;
}

# meanings.txt: what each theorem and each definition behind it means, without notations (meanings.pl).
sub meanings {
    spew('Check.in', join '', map { my ($m, $n) = split /\./; "$library{$m}.$n\n" } @listed);
    my $lines = `perl meanings.pl < Check.in`;
    if ($?) { print $lines; exit 1 }
    return "Each theorem, and each definition behind it, by a hash of its meaning, $printed_by\n$lines";
}

sub all_of { return join('', map { my ($m, $n) = split /\./; "let _ := \@$library{$m}.$n in " } @_) . 'I' }

# assumptions.txt: what each theorem assumes.
my %assumes;
if (-e 'assumptions.txt') {
    for (split /\n/, slurp('assumptions.txt')) {
        my ($full, $rest) = split /: /, $_, 2;
        $assumes{$full} = $rest =~ /^Closed/ ? [] : [split ' ', $rest];
    }
}
if ($mode eq '--update') {
    # One question for each theorem without a line; half a second each.
    my %answer;
    my @new = grep { !exists $assumes{$_} } @listed;
    %answer = ask_coq(map { [$_, all_of($new[$_])] } 0 .. $#new) if @new;
    $assumes{$new[$_]} = $answer{$_} for 0 .. $#new;
} else {
    # One question for all theorems that are listed with the same assumptions: together they rest on
    # these and on nothing else.
    my (%group, @sets);
    for my $full (grep { exists $assumes{$_} } @listed) {
        my $set = join ' ', @{$assumes{$full}};
        push @sets, $set unless $group{$set};
        push @{$group{$set}}, $full;
    }
    my %answer = ask_coq(map { [$_, all_of(@{$group{$sets[$_]}})] } 0 .. $#sets);
    for (0 .. $#sets) {
        my $found = join ' ', sort @{$answer{$_}};
        push @problems, "listed in assumptions.txt with [$sets[$_]], found [$found]: @{$group{$sets[$_]}}"
            . "\n(`make update` asks for those whose lines are removed)" if $found ne $sets[$_];
    }
}
my $list = '';
for my $full (@listed) {
    $assumes{$full} //= ['(no line of assumptions.txt: `make update`)'];
    my @axioms = sort @{$assumes{$full}};
    $list .= "$full: " . (@axioms ? join(' ', @axioms) : 'Closed under the global context') . "\n";
}

# The tables of README.md, one for each part of _CoqProject.
my $table = '';
my $last = "\n";
for my $full (@listed) {
    my ($module, $name) = split /\./, $full;
    if ($part{$module} ne $last) {
        $last = $part{$module};
        $table .= "\n### $last\n\n| theorem | what it says | claims | file | assumptions |\n|---|---|---|---|---|\n";
    }
    my $rest = @{$assumes{$full}} ? "axioms of the reals" : "none";
    my $ids = join ' ', map { "`$_`" } split ' ', $claims{$full};
    my $what = $sentence{$full}; $what =~ s/\|/\\|/g;
    $table .= "| `$name` | $what | $ids | [`$module.v`]($file{$module}) | $rest |\n";
}
$table .= "\n";
my $readme = slurp('README.md');
(my $fresh = $readme) =~ s/(<!-- theorems -->\n).*?(<!-- end of theorems -->)/$1$table$2/s;
my %fresh = ('assumptions.txt' => $list, 'statements.txt' => statements(), 'meanings.txt' => meanings(), 'README.md' => $fresh);
for my $file (sort keys %fresh) {
    if ($mode eq '--update') { spew($file, $fresh{$file}); next }
    my $stored = -e $file ? slurp($file) : '';
    if ($stored =~ /^Each .*, as Rocq (\S+) prints it/ && $1 ne $version) {
        push @problems, "$file cannot be compared: Rocq $1 printed it, this is Rocq $version";
    } elsif ($stored ne $fresh{$file}) {
        push @problems, "$file differs from what Rocq prints (`make update` writes it anew; read the difference)";
    }
}
if (@problems) { print "$_\n" for @problems; exit 1 }
if ($mode eq '--update') { print "headline.txt and ", join(', ', sort keys %fresh), " are up to date: read what changed\n"; exit 0 }
printf "all claims checked: %d theorems, assumptions as listed\n", scalar @listed;
