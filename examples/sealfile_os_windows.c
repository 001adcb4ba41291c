/* SPDX-License-Identifier: MIT */
#if defined(_WIN32)

#include "sealfile_os.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
/* Before bcrypt.h, which does not include it. */
#include <windows.h>

#include <bcrypt.h>

int os_random(uint8_t *out, size_t n)
{
    if (BCryptGenRandom(NULL, out, (ULONG)n, BCRYPT_USE_SYSTEM_PREFERRED_RNG) != 0) {
        errno = EIO;
        return -1;
    }
    return 0;
}

/* A new file has its folder's access list: a user's own folders are closed to others already. */
FILE *os_create_new(const char *path, int is_private)
{
    int fd = _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE);

    (void)is_private;
    if (fd < 0) {
        return NULL;
    }
    FILE *f = _fdopen(fd, "wb");

    if (f == NULL) {
        (void)_close(fd);
        (void)_unlink(path);
    }
    return f;
}

int os_sync(FILE *f)
{
    return _commit(_fileno(f));
}

int os_replace(const char *from, const char *to)
{
    if (!MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING)) {
        errno = EACCES;
        return -1;
    }
    return 0;
}

enum os_kind os_kind_of(const char *path)
{
    DWORD attributes = GetFileAttributesA(path);

    if (attributes == INVALID_FILE_ATTRIBUTES) {
        return OS_NOTHING;
    }
    if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
        return OS_DIRECTORY;
    }
    return (attributes & FILE_ATTRIBUTE_DEVICE) != 0 ? OS_OTHER : OS_REGULAR;
}

char *os_resolve(const char *path)
{
    return _strdup(path);
}

static int identify(HANDLE handle, BY_HANDLE_FILE_INFORMATION *id)
{
    return GetFileType(handle) == FILE_TYPE_DISK && GetFileInformationByHandle(handle, id);
}

static int same(HANDLE a, HANDLE b)
{
    BY_HANDLE_FILE_INFORMATION x;
    BY_HANDLE_FILE_INFORMATION y;

    return identify(a, &x) && identify(b, &y) && x.dwVolumeSerialNumber == y.dwVolumeSerialNumber &&
           x.nFileIndexHigh == y.nFileIndexHigh && x.nFileIndexLow == y.nFileIndexLow;
}

static HANDLE handle_of(FILE *f)
{
    return (HANDLE)_get_osfhandle(_fileno(f));
}

int os_is_same_file(FILE *a, FILE *b)
{
    return same(handle_of(a), handle_of(b));
}

int os_is_file_at(FILE *f, const char *path)
{
    HANDLE other = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                               NULL, OPEN_EXISTING, 0, NULL);

    if (other == INVALID_HANDLE_VALUE) {
        return 0;
    }
    int result = same(handle_of(f), other);

    (void)CloseHandle(other);
    return result;
}

int64_t os_regular_size(FILE *f)
{
    LARGE_INTEGER size;

    return GetFileType(handle_of(f)) == FILE_TYPE_DISK && GetFileSizeEx(handle_of(f), &size)
               ? size.QuadPart
               : -1;
}

int os_is_terminal(FILE *f)
{
    return _isatty(_fileno(f));
}

void os_set_binary(FILE *f)
{
    (void)_setmode(_fileno(f), _O_BINARY);
}

double os_seconds(void)
{
    LARGE_INTEGER now;
    LARGE_INTEGER frequency;

    (void)QueryPerformanceCounter(&now);
    (void)QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart / (double)frequency.QuadPart;
}

void os_catch_signals(void)
{
}

void os_hold_signals(void)
{
}

void os_release_signals(void)
{
}

void os_remove_on_signal(const char *path)
{
    (void)path;
}

#else
typedef int sealfile_os_windows_is_empty;
#endif
