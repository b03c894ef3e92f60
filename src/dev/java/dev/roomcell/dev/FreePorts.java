package dev.roomcell.dev;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Picks loopback ports for servers. */
public final class FreePorts {
    /**
     * The ports lie below those that Linux gives to outgoing connections (from 32,768). There a client that keeps
     * calling a stopped server may be given the server's own port, meet itself, and keep the server from its port.
     */
    private static final int LOWEST = 20_000;

    private static final int HIGHEST = 32_000;
    private static final int TRIES = 100;

    private FreePorts() {}

    /**
     * A port that nobody listened on a moment ago.
     *
     * @throws IOException if none was found
     */
    public static int pick() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IOException("no free port between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
