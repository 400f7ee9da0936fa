# Runs the model, the model of the forest and each mutant of mutants.txt on a few instances (Rocq's vm_compute), and
# shows for each mutant the first instance on which the runs differ.  Run by `make mutants` after `make build`.
#
#   perl mutation/mutants.pl                 in proofs/; fails if a mutant cannot be told from the model
#   perl mutation/mutants.pl --check         only whether each mutant still finds its lines in the sources
#   perl mutation/mutants.pl NAME ...        only the mutants whose names contain one of these
use strict;
use warnings;
use File::Temp qw(tempdir);
use File::Copy qw(copy);

# k d h_max v cap_num cap_den seed levels: K = 2k + 1, (2RM)^2 = cap_num / cap_den, `levels` values.
# Every fraction is a (2RM)^2 for some M.
my @instances = (
    [1, 1, 1, 30, 0, 1, 7, 1000003],
    [1, 1, 3, 12, 4, 1, 7, 3],
    [1, 2, 3, 40, 18, 1, 11, 1000003],
    [1, 2, 4, 60, 9, 1, 3, 2],
    [1, 2, 2, 100, 81, 2, 5, 4],
    [2, 1, 2, 45, 25, 4, 13, 5],
    [1, 3, 5, 80, 36, 1, 17, 7],
    [2, 2, 3, 90, 100, 3, 19, 1000003],
    [1, 1, 0, 20, 1, 1, 23, 9],
    [1, 2, 5, 75, 200, 1, 29, 1000003],
    [1, 1, 6, 90, 9, 1, 31, 2],
    [1, 2, 2, 8, 9, 1, 41, 1000003],
);

# The same for the forest: k d h_max v P separate by_norm seed levels; by_norm 0 is one class for each depth.
my @forest_instances = (
    [1, 1, 1, 30, 2, 1, 0, 7, 1000003],
    [1, 1, 3, 25, 3, 1, 0, 7, 3],
    [1, 2, 3, 60, 3, 1, 0, 11, 1000003],
    [1, 2, 4, 61, 4, 1, 0, 3, 2],
    [1, 2, 3, 60, 2, 0, 0, 5, 1000003],
    [1, 2, 4, 70, 2, 0, 0, 13, 4],
    [1, 2, 4, 80, 3, 1, 1, 17, 1000003],
    [2, 2, 3, 90, 2, 0, 1, 19, 7],
    [2, 1, 2, 66, 5, 1, 0, 23, 5],
    [1, 3, 5, 81, 2, 1, 1, 29, 2],
    [1, 1, 0, 20, 3, 1, 0, 31, 9],
    [2, 1, 3, 14, 2, 0, 0, 37, 1000003],
);

sub slurp { my ($f) = @_; open(my $h, '<', $f) or die "$f: $!\n"; local $/; return scalar <$h>; }
sub spew { my ($f, $text) = @_; open(my $h, '>', $f) or die "$f: $!\n"; print $h $text; close $h; }

# The file of each module.
my %path = map { m{(\w+)\.v$} ? ($1 => $_) : () } split /\n/, slurp('_CoqProject');

my (@mutants, %seen);
for my $block (split /\n(?=\[)/, slurp('mutation/mutants.txt')) {
    next unless $block =~ /^\[(.*)\] (\w+)\.v$/m;
    my ($name, $file) = ($1, $2);
    my $old = join "\n", $block =~ /^- (.*)$/mg;
    my $new = join "\n", $block =~ /^\+ (.*)$/mg;
    die "mutants.txt: $name stands twice\n" if $seen{$name}++;
    die "mutants.txt: nothing to replace in $name\n" if $old eq '' || $new eq '' || $old eq $new;
    my $text = slurp($path{$file});
    my $at = index($text, $old);
    die "mutants.txt: $name: not in $path{$file}: $old\n" if $at < 0;
    die "mutants.txt: $name: more than once in $path{$file}: $old\n" if index($text, $old, $at + 1) >= 0;
    substr($text, $at, length $old) = $new;
    push @mutants, [$name, $file, $text];
}
exit 0 if "@ARGV" eq '--check';
if (@ARGV) {
    my $chosen = join '|', map { quotemeta } @ARGV;
    @mutants = grep { $_->[0] =~ /$chosen/ } @mutants;
}

my $scratch = tempdir(CLEANUP => 1);

# What the runs of a model show: for each instance a list of rows.
sub observe {
    my ($folder, $observer, $instances, @files) = @_;
    my $source = slurp("mutation/$observer.v");
    $source .= "Set Printing Width 1000000.\nSet Printing Depth 1000000.\n";
    for my $instance (@$instances) {
        my @numbers = @$instance;    # the last two are integers
        my @last = splice @numbers, $observer eq 'Observe' ? -4 : -2;
        my $arguments = join ' ', (map { $_ . '%nat' } @numbers), (map { $_ . '%Z' } @last);
        $source .= "Eval vm_compute in (observe $arguments).\n";
    }
    spew("$folder/$observer.v", $source);
    my $out = '';
    for my $file (@files, $observer) {
        $out = `cd $folder && coqc -Q . EmbeddedHunter $file.v 2>&1`;
        return "$file.v: " . substr($out, 0, 500) if $?;
    }
    my @runs;
    while ($out =~ /=\s*\[(.*?)\]\s*:\s*list/gs) {
        my $rows = $1;
        push @runs, [map { s/\s+//gr } $rows =~ /\[([^\]]*)\]/g];
    }
    return @runs == @$instances ? \@runs : 'the output of Rocq was not understood: ' . substr($out, 0, 500);
}

sub prepare {
    my ($folder, @files) = @_;
    mkdir $folder or die "$folder: $!\n";
    copy($_, $folder) or die "$_: $!\n" for @files;
    return $folder;
}

# A row in words.
sub words {
    my ($row) = @_;
    return 'nothing' unless defined $row;
    my ($kind, @n) = split /;/, $row;
    return "sweep over depths 0..$n[0]" if $kind == 1;
    return "visit of depth $n[0]" if $kind == 2;
    return "expansion of ($n[2],$n[3]) at $n[0]" if $kind == 3;
    return "evaluation $n[0] of ($n[3],$n[4]): $n[1]" if $kind == 4;
    return 'nu_min ' . (@n ? $n[0] : 'infinity') if $kind == 5;
    return "$n[0] iterations" if $kind == 6;
    return "answer $n[0]" if $kind == 7;
    return "nu_min of queue $n[0] " . (@n > 1 ? $n[1] : 'infinity') if $kind == 9;
    return "leaf ($n[0],$n[1])";
}

# An instance in words.
sub setting {
    my ($forest, @n) = @_;
    return sprintf 'K = %d, d = %d, h_max = %d, v = %d, (2RM)^2 = %d/%d, oracle %d mod %d', 2 * $n[0] + 1, @n[1 .. 7]
        unless $forest;
    return sprintf 'K = %d, d = %d, h_max = %d, v = %d, P = %d, %s, %s, oracle %d mod %d', 2 * $n[0] + 1, @n[1 .. 4],
        ($n[5] ? 'the zero vector apart' : 'one queue'), ($n[6] ? 'norm classes' : 'one class'), @n[7, 8];
}

my @model = qw(Lattice Model);
prepare("$scratch/model", map { $path{$_} } @model, 'Forest');
my $true = observe("$scratch/model", 'Observe', \@instances, @model);
die $true unless ref $true;
my $true_forest = observe("$scratch/model", 'ObserveForest', \@forest_instances, 'Forest');
die $true_forest unless ref $true_forest;
my ($survivors, $number) = (0, 0);
for my $mutant (@mutants) {
    my ($name, $file, $text) = @$mutant;
    my $forest = $file eq 'Forest';
    my $folder = "$scratch/" . ++$number;
    my $runs;
    if ($forest) {
        prepare($folder, map { $scratch . "/model/$_.vo" } @model, 'Observe');
        spew("$folder/$file.v", $text);
        $runs = observe($folder, 'ObserveForest', \@forest_instances, 'Forest');
    } else {
        my $in_lattice = $file eq 'Lattice';
        prepare($folder, $path{Model}, $in_lattice ? () : "$scratch/model/Lattice.vo");
        spew("$folder/$file.v", $text);
        $runs = observe($folder, 'Observe', \@instances, $in_lattice ? qw(Lattice) : (), 'Model');
    }
    die "$name: $runs" unless ref $runs;
    my $found;
    for my $i (0 .. $#$runs) {
        my ($a, $b) = (($forest ? $true_forest : $true)->[$i], $runs->[$i]);
        my ($j) = grep { ($a->[$_] // '') ne ($b->[$_] // '') } 0 .. (@$a > @$b ? $#$a : $#$b);
        next unless defined $j;
        printf "%s\n    %s\n    model: %s; mutant: %s\n", $name,
            setting($forest, @{($forest ? \@forest_instances : \@instances)->[$i]}), words($a->[$j]), words($b->[$j]);
        $found = 1;
        last;
    }
    next if $found;
    print "$name\n    NO DIFFERENCE on any instance\n";
    $survivors++;
}
printf "%d mutants, %d of them told from the model\n", scalar @mutants, @mutants - $survivors;
exit($survivors ? 1 : 0);
