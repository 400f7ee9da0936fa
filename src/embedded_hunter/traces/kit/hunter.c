/* Algorithm 1 of EmbeddedHunter in C, to be driven by `embedded-hunter check --exec` (README.md).
   cc -o hunter hunter.c -lgmp: GMP keeps indices, norms and the cap exact, whatever their size. */
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int h, inner; long count; double f_star; mpz_t i, norm, c[]; } Node;
static char *line; /* the line of input that was read last */
static int K, d, h_max;
static long v, made;
static double best;
static mpq_t cap; /* (2 R M)^2 */
static mpz_t x, y; /* for intermediate results */
static int read_line(void) { static size_t size; return getline(&line, &size, stdin) > 0; }
static const char *field(const char *name) { /* where its value begins */
  const char *at = strstr(line, name);
  if (at == NULL) fprintf(stderr, "there is no %s\n", name), exit(1);
  return at + strlen(name) + strspn(at + strlen(name), ": \"");
}
static const char *text(double value) { /* an infinite number is a string */
  static char written[40];
  snprintf(written, sizeof written, isinf(value) ? "\"%g\"" : "%.17g", value);
  return written;
}
static void evaluate(Node *node) {
  made++, node->count++;
  gmp_printf("{\"event\": \"evaluate\", \"h\": %d, \"i\": %Zd, \"c\": [", node->h, node->i);
  for (int j = 0; j < d; j++) gmp_printf(j ? ", %Zd" : "%Zd", node->c[j]);
  printf("], \"p\": %ld}\n", node->count), fflush(stdout);
  double value = read_line() ? strtod(field("\"value\""), NULL) : (exit(1), 0);
  best = value < best ? value : best, node->f_star = value < node->f_star ? value : node->f_star;
}
static int may_be_evaluated(const Node *node) { /* norm = ||y||^2 K^(2 m) / (2 R)^2, m = ceil(h / d) */
  mpz_ui_pow_ui(x, K, (node->h + d - 1) / d), mpz_mul_ui(x, x, node->count), mpz_mul(x, x, x);
  mpz_mul(x, x, mpq_denref(cap)), mpz_mul(y, mpq_numref(cap), node->norm);
  return node->count == 0 || mpz_cmp(x, y) <= 0;
}
static Node *child_of(const Node *parent, int digit) { /* without a parent, the root */
  Node *node = calloc(1, sizeof *node + d * sizeof *node->c);
  mpz_init(node->i), mpz_init(node->norm), node->f_star = INFINITY;
  for (int k = 0; k < d; k++) mpz_init(node->c[k]);
  if (parent == NULL) return node;
  mpz_mul_ui(node->i, parent->i, K), mpz_add_ui(node->i, node->i, digit), node->h = parent->h + 1;
  if (digit == K / 2) node->f_star = parent->f_star, node->count = parent->count;
  for (int k = 0; k < d; k++) {
    mpz_mul_ui(x, parent->c[k], K), mpz_add_ui(x, x, digit), mpz_sub_ui(x, x, K / 2);
    mpz_set(node->c[k], k == parent->h % d ? x : parent->c[k]);
    /* Coordinate k was split at the depths k, k + d, ...; the first one at the most depths. */
    mpz_ui_pow_ui(x, K, (node->h + d - 1) / d - (node->h - k + d - 1) / d);
    mpz_mul(x, x, node->c[k]), mpz_addmul(node->norm, x, x);
  }
  return node;
}
static int order(const void *one, const void *other) { /* the largest norm, the least f* and i */
  const Node *a = *(Node *const *)one, *b = *(Node *const *)other;
  if (mpz_cmp(a->norm, b->norm)) return mpz_cmp(b->norm, a->norm);
  return a->f_star < b->f_star ? -1 : a->f_star > b->f_star ? 1 : mpz_cmp(a->i, b->i);
}
static void hunt(void) {
  long nodes = 1, inner = 0, t = 0, sweep = 0, depth = 0, expanded = 1;
  Node **all = malloc((K * v + 1) * sizeof *all), **at = malloc((K * v + 1) * sizeof *at);
  made = 0, best = INFINITY, evaluate(all[0] = child_of(NULL, 0));
  while (made < v && expanded) {
    long limit = depth < h_max ? depth : h_max;
    const Node *last = NULL; /* nu_min is its f* */
    printf("{\"event\": \"sweep\", \"sweep\": %ld, \"limit\": %ld}\n", ++sweep, limit), expanded = 0;
    for (int l = 0; l <= limit && made < v; l++) {
      long size = 0;
      printf("{\"event\": \"visit\", \"t\": %ld, \"l\": %d}\n", ++t, l);
      for (long k = 0; k < nodes; k++) if (all[k]->h == l && !all[k]->inner) at[size++] = all[k];
      qsort(at, size, sizeof *at, order);
      for (long k = 0; k < size && made < v; k++) {
        Node *leaf = at[k], **family = all + nodes;
        int cut = 0, is_best = k == 0 || mpz_cmp(at[k - 1]->norm, leaf->norm); /* of its class */
        if (!is_best || (last && leaf->f_star >= last->f_star)) continue;
        last = leaf, expanded = 1, gmp_printf("{\"event\": \"expand\", \"h\": %d, \"i\": %Zd", l, leaf->i);
        printf(", \"nu_min\": %s}\n", text(leaf->f_star));
        for (int digit = 0; digit < K; digit++)
          if (may_be_evaluated(family[digit] = child_of(leaf, digit)))
            made < v ? evaluate(family[digit]) : (void)(cut = 1);
        if (!cut) leaf->inner = 1, inner++, nodes += K, depth = depth > l ? depth : l + 1;
      }
    }
  }
  printf("{\"event\": \"end\", \"answer\": %s, \"evaluations\": %ld, \"t\": %ld", text(best), made, t);
  printf(", \"sweeps\": %ld, \"depth\": %ld, \"leaves\": %ld", sweep, depth, nodes - inner);
  printf(", \"reason\": \"%s\"}\n", made == v ? "maxfun" : "h_max"), fflush(stdout), free(all), free(at);
}
int main(void) {
  mpq_t eta, M;
  mpz_init(x), mpz_init(y), mpq_init(eta), mpq_init(M), mpq_init(cap);
  while (read_line()) {
    K = atoi(field("\"K\"")), d = atoi(field("\"d\"")), h_max = atoi(field("\"h_max\""));
    v = atol(field("\"v\"")), gmp_sscanf(field("\"eta\""), "%Qd", eta), gmp_sscanf(field("\"M\""), "%Qd", M);
    mpq_set_si(cap, 2 * d, 1), mpq_mul(cap, cap, M), mpq_div(cap, cap, eta), mpq_mul(cap, cap, cap);
    hunt();
  }
}
