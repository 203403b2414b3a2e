/* Programs in files, where the environment says. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "program_files.h"

static const char key[] = "gl_segsort-0123456789abcdef";
static char here[1024];

static void keep_in(const char *folder)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", here, folder);
    setenv("XDG_CACHE_HOME", path, 1);
}

static size_t files_in(const char *folder)
{
    size_t count = 0;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    if (directory)
        closedir(directory);
    return count;
}

static void remove_all(const char *folder)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/gl_segsort/%s", folder, key);
    remove(path);
    snprintf(path, sizeof path, "%s/gl_segsort", folder);
    rmdir(path);
    rmdir(folder);
}

static void what_is_stored_is_loaded(void)
{
    const gl_segsort_program_cache cache = program_files_cache();
    const unsigned char first[] = "a program", second[] = "another program";
    unsigned char data[64] = {0};
    keep_in("kept");
    remove_all("kept");
    CHECK(cache.load(key, NULL, 0, cache.user) == 0, "there is one before it is stored");
    cache.store(key, first, sizeof first, cache.user);
    CHECK(cache.load(key, NULL, 0, cache.user) == sizeof first, "its size");
    CHECK(cache.load(key, data, sizeof first, cache.user) == sizeof first, "its size again");
    CHECK(memcmp(data, first, sizeof first) == 0, "%s", (const char *)data);
    CHECK(cache.load("gl_segsort-other", data, 9, cache.user) == 0, "another key's");

    /* No more than there is room for, and the size all the same. */
    memset(data, 0xcd, sizeof data);
    CHECK(cache.load(key, data, 4, cache.user) == sizeof first, "its size, cut");
    CHECK(memcmp(data, "a pr\xcd\xcd", 6) == 0, "more than there is room for");

    cache.store(key, second, sizeof second, cache.user);
    CHECK(cache.load(key, data, sizeof second, cache.user) == sizeof second &&
              memcmp(data, second, sizeof second) == 0,
          "the old one stays");
    CHECK(files_in("kept/gl_segsort") == 1, "%zu files", files_in("kept/gl_segsort"));
    remove_all("kept");
}

/* The home's is the one where nothing else is said, and what doesn't start at the root is nothing. */
static void the_home_is_the_default(void)
{
    static const char *const said[] = {NULL, "", "no/folder"};
    const gl_segsort_program_cache cache = program_files_cache();
    char home[1200];
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        snprintf(home, sizeof home, "%s/home", here);
        mkdir(home, 0700);
        setenv("HOME", home, 1);
        if (said[i])
            setenv("XDG_CACHE_HOME", said[i], 1);
        else
            unsetenv("XDG_CACHE_HOME");
        cache.store(key, "x", 1, cache.user);
        CHECK(files_in("home/.cache/gl_segsort") == 1, "not in the home with '%s'",
              said[i] ? said[i] : "nothing");
        remove_all("home/.cache");
        rmdir("home");
    }
}

static void folders_that_are_none_are_no_error(void)
{
    const gl_segsort_program_cache cache = program_files_cache();
    char data[4], long_path[3000];
    memset(long_path, 'x', sizeof long_path);
    long_path[0] = '/';
    long_path[sizeof long_path - 1] = '\0';
    const char *const folders[] = {"/dev/null", "/no/such/folder", long_path};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        setenv("XDG_CACHE_HOME", folders[i], 1);
        cache.store(key, "x", 1, cache.user);
        CHECK(cache.load(key, data, sizeof data, cache.user) == 0, "%.40s", folders[i]);
    }
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    cache.store(key, "x", 1, cache.user);
    CHECK(cache.load(key, NULL, 0, cache.user) == 0, "without a home");

    /* A folder in the file's place: no temporary file stays behind. */
    keep_in("taken");
    mkdir("taken", 0700);
    mkdir("taken/gl_segsort", 0700);
    char path[1200];
    snprintf(path, sizeof path, "taken/gl_segsort/%s", key);
    mkdir(path, 0700);
    cache.store(key, "x", 1, cache.user);
    CHECK(files_in("taken/gl_segsort") == 1, "%zu files", files_in("taken/gl_segsort"));
    CHECK(cache.load(key, data, sizeof data, cache.user) == 0, "a folder is loaded");
    rmdir(path);
    remove_all("taken");
}

int main(int argc, char **argv)
{
    static const struct check_test tests[] = {CHECK_TEST(what_is_stored_is_loaded),
                                              CHECK_TEST(the_home_is_the_default),
                                              CHECK_TEST(folders_that_are_none_are_no_error)};
    if (!getcwd(here, sizeof here))
        return 1;
    return check_main(argc, argv, tests, sizeof tests / sizeof tests[0]);
}
