"""The public import path of the protocol client; see `notahat.clients.python`."""

from notahat.clients.python import *  # noqa: F403
