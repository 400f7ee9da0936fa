# What theorems mean, as Rocq says it: the full paths of theorems on standard input, one a line.
# Prints a line for each of them, and for each definition of the project on which their statements depend:
#     File.name HASH : the names of the project on which it depends
# The hash is that of its type and body, the names are those in these, as meanings.ltac2 finds them in Rocq's terms.
use strict;
use warnings;
use Digest::SHA qw(sha256_hex);

chomp(my @theorems = <STDIN>);
my %modules = map { m/^EmbeddedHunter\.(.*)\.[^.]*$/ => 1 } @theorems;
open(my $file, '>', 'Check.v') or die "Check.v: $!\n";
print $file "From EmbeddedHunter Require ", join(' ', sort keys %modules), ".\n";
print $file do { local (@ARGV, $/) = 'meanings.ltac2'; <> };
print $file "Ltac2 Eval meanings [", join(";\n  ", map { '[' . join('; ', map { "\@$_" } split /\./) . ']' } @theorems), "].\n";
close $file;
my $output = `coqc -Q . EmbeddedHunter Check.v 2>&1`;
if ($?) { print $output; exit 1 }

my %line;
for (split /^@@\n/m, $output =~ s/^- : unit.*\n//mr) {
    my ($name, $text) = /^(\S+)\n(.*)/s or next;
    my @uses = sort $text =~ /^@>\n(\S+)\n/mg;
    $line{$name} = join ' ', $name, substr(sha256_hex($text =~ s/^@>\n\S+\n//mgr), 0, 16), ':', @uses;
}
print map { "$line{$_}\n" } sort keys %line;
