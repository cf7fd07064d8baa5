"""proxy.py FROM TO: a Unix socket that passes bytes to another one.

A test cuts the connections through it by killing it, and makes a network that
swallows everything by stopping it.
"""

import asyncio
import os
import sys


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    writer.close()


async def serve(reader, writer):
    try:
        other = await asyncio.open_unix_connection(sys.argv[2])
    except OSError:
        writer.close()
        return
    await asyncio.gather(pass_on(reader, other[1]), pass_on(other[0], writer))


async def main():
    if os.path.exists(sys.argv[1]):
        os.unlink(sys.argv[1])
    server = await asyncio.start_unix_server(serve, sys.argv[1])
    async with server:
        await server.serve_forever()


asyncio.run(main())
