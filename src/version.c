/* SPDX-License-Identifier: MIT */
#include "aeadfast.h"

const char *aeadfast_version(void)
{
    return AEADFAST_VERSION_STRING;
}

const char *aeadfast_strerror(int error)
{
    switch (error) {
    case AEADFAST_OK:
        return "success";
    case AEADFAST_ERR_AUTH:
        return "the tag does not match: wrong key, or the message was changed";
    case AEADFAST_ERR_ARGUMENT:
        return "an argument is NULL or has a size that is not allowed";
    case AEADFAST_ERR_LENGTH:
        return "a length is over the algorithm's limit";
    case AEADFAST_ERR_OVERLAP:
        return "buffers overlap in a way that is not allowed";
    case AEADFAST_ERR_BACKEND:
        return "the forced backend is unknown, or this processor or build lacks it";
    case AEADFAST_ERR_STATE:
        return "the object is not initialised, finished, or wiped";
    default:
        return "unknown error";
    }
}
