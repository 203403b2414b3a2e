#include "options.h"

#include "timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPETITIONS 15
#define WARM_UP 0.5
#define QUICK_REPETITIONS 5
#define QUICK_WARM_UP 0.05

const char options_help[] =
    "usage: gl_segsort_bench [OPTIONS]\n"
    "  --rows LOG2[,LOG2...]        the size, 16 to 28; 24, or 18 on a software driver\n"
    "  --cases PATTERN[,PATTERN...] only cases of these names, such as 'length-*'\n"
    "  --lengths N[,N...]           segments of these lengths, in place of the cases\n"
    "  --segments host|gpu          gpu: host-listed cases are run GPU-listed, too\n"
    "  --implementations NAME,...   only rows of these: ours, copy, network, cpu, peers\n"
    "  --peers PROGRAM              the CUDA sorts, which this program starts\n"
    "  --algorithm auto|bitonic|radix\n"
    "  --passes yes|no              yes: the time of each pass\n"
    "  --tuning FILE                tries a tuning, or the fields of one that it has\n"
    "  --print-tuning               tells the tuning in use\n"
    "  --tune FILE                  measures what is fastest and writes a tuning there\n"
    "  --warm-up SECONDS            before each measurement; 0.5\n"
    "  --repetitions N              1 to 1000; 15\n"
    "  --csv FILE                   writes the rows there\n"
    "  --append                     behind the rows that the file has\n"
    "  --quick                      a short warm-up, and nothing is verified\n"
    "  --list                       tells the cases' names\n"
    "  --slug                       tells the GPU's name as files have it\n";

static const char *const algorithms[] = {"auto", "bitonic", "radix"};
static const char *const implementations[] = {"ours", "copy", "network", "cpu", "peers"};

const char *options_algorithm_name(gl_segsort_algorithm algorithm)
{
    return algorithms[algorithm];
}

static bool has_name(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; *at; at += strcspn(at, ","), at += *at == ',')
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    return false;
}

bool options_wants(const struct options *options, const char *implementation)
{
    return !options->implementations || has_name(options->implementations, implementation);
}

/* The number, and no more, or -1. */
static long whole_number(const char *text, char end, char **rest)
{
    long number = strtol(text, rest, 10);
    return *rest == text || (**rest && **rest != end) ? -1 : number;
}

static bool read_sizes(const char *text, struct options *options)
{
    char *rest;
    for (const char *at = text; *at; at = *rest ? rest + 1 : rest) {
        long size = whole_number(at, ',', &rest);
        if (size < 16 || size > 28 || options->size_count == OPTIONS_SIZES_MAX)
            return false;
        options->sizes[options->size_count++] = (uint32_t)size;
    }
    return options->size_count > 0;
}

static bool read_choice(const char *text, const char *const *names, int count, int *choice)
{
    for (*choice = 0; *choice < count; ++*choice)
        if (strcmp(text, names[*choice]) == 0)
            return true;
    return false;
}

static bool read_implementations(const char *text, struct options *options)
{
    size_t known = 0;
    for (int i = 0; i < 5; i++)
        if (has_name(text, implementations[i]))
            known += strlen(implementations[i]) + 1;
    options->implementations = text;
    return known == strlen(text) + 1;
}

static bool read_algorithm(const char *text, struct options *options)
{
    int choice;
    bool known = read_choice(text, algorithms, 3, &choice);
    options->algorithm = (gl_segsort_algorithm)choice;
    return known;
}

static bool read_flag(const char *text, const char *no, const char *yes, bool *flag)
{
    *flag = strcmp(text, yes) == 0;
    return *flag || strcmp(text, no) == 0;
}

static bool read_repetitions(const char *text, struct options *options)
{
    char *rest;
    long number = whole_number(text, '\0', &rest);
    options->repetitions = (int)number;
    return number >= 1 && number <= TIMER_REPETITIONS_MAX;
}

static bool read_warm_up(const char *text, struct options *options)
{
    char *rest;
    options->warm_up = strtod(text, &rest);
    return rest != text && !*rest && options->warm_up >= 0 && options->warm_up <= 60;
}

static bool read_text(const char *text, const char **option)
{
    *option = text;
    return *text != '\0';
}

/* Options that stand alone. */
static bool read_switch(const char *option, struct options *options)
{
    struct {
        const char *name;
        bool *flag;
    } switches[] = {{"--append", &options->append},
                    {"--quick", &options->quick},
                    {"--list", &options->list},
                    {"--slug", &options->slug},
                    {"--print-tuning", &options->print_tuning},
                    {"--help", &options->help}};
    for (int i = 0; i < 6; i++)
        if (strcmp(option, switches[i].name) == 0)
            return *switches[i].flag = true;
    return false;
}

static bool read_with_value(const char *option, const char *value, struct options *options,
                            bool *known)
{
    *known = true;
    if (strcmp(option, "--rows") == 0)
        return read_sizes(value, options);
    if (strcmp(option, "--cases") == 0)
        return read_text(value, &options->filter.patterns);
    if (strcmp(option, "--lengths") == 0)
        return read_text(value, &options->filter.lengths);
    if (strcmp(option, "--segments") == 0)
        return read_flag(value, "host", "gpu", &options->filter.gpu_listed);
    if (strcmp(option, "--implementations") == 0)
        return read_implementations(value, options);
    if (strcmp(option, "--tuning") == 0)
        return read_text(value, &options->tuning);
    if (strcmp(option, "--tune") == 0)
        return read_text(value, &options->tune);
    if (strcmp(option, "--peers") == 0)
        return read_text(value, &options->peers);
    if (strcmp(option, "--algorithm") == 0)
        return read_algorithm(value, options);
    if (strcmp(option, "--passes") == 0)
        return read_flag(value, "no", "yes", &options->passes);
    if (strcmp(option, "--warm-up") == 0)
        return read_warm_up(value, options);
    if (strcmp(option, "--repetitions") == 0)
        return read_repetitions(value, options);
    if (strcmp(option, "--csv") == 0)
        return read_text(value, &options->csv);
    return *known = false;
}

bool options_read(int argc, char **argv, struct options *options)
{
    *options = (struct options){.repetitions = -1, .warm_up = -1};
    for (int i = 1; i < argc; i++) {
        bool known = true;
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (read_switch(argv[i], options))
            continue;
        if (!read_with_value(argv[i], value, options, &known)) {
            if (known)
                fprintf(stderr, "bench: %s can't be %s\n", argv[i], *value ? value : "left empty");
            else
                fprintf(stderr, "bench: unknown option %s\n", argv[i]);
            return false;
        }
        i++;
    }
    if (options->repetitions < 0)
        options->repetitions = options->quick ? QUICK_REPETITIONS : REPETITIONS;
    if (options->warm_up < 0)
        options->warm_up = options->quick ? QUICK_WARM_UP : WARM_UP;
    return true;
}
