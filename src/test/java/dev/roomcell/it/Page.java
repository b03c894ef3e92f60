package dev.roomcell.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What is read over HTTP: the metrics of a node, and what clients saw. */
final class Page {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Page() {}

    /** What the URL answers, whatever its status. */
    static String get(String url) {
        try {
            return HTTP.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** All metrics of a node that is a process of its own. */
    static String metrics(NodeProcess.Ready node) {
        return get("http://127.0.0.1:" + node.opsPort() + "/metrics");
    }
}
