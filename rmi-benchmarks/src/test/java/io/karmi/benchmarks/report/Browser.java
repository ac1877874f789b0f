package io.karmi.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Headless Chromium, each time with a fresh profile and with a proxy that notes every request and
 * answers none.
 */
final class Browser {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final long DEADLINE_SECONDS = 300;

  /** Hosts that the browser itself asks for, whatever page it shows. */
  private static final List<String> ITS_OWN =
      List.of("google.com", "googleapis.com", "gstatic.com");

  private final Path program;
  private final Path folder;

  /** What a browser printed, and what it asked for. */
  record Visit(String printed, String log, List<String> requests) {}

  private Browser(Path program, Path folder) {
    this.program = program;
    this.folder = folder;
  }

  /** The one that is installed. */
  static Optional<Browser> find(Path folder) {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(path -> NAMES.stream().map(Path.of(path)::resolve))
        .filter(Files::isExecutable)
        .findFirst()
        .map(program -> new Browser(program, folder));
  }

  /** Opens a page in a window of this width, with the width behind {@code #} of its address. */
  Visit visit(Path page, int width, boolean dark, String... more) throws Exception {
    Path profile = Files.createTempDirectory(folder, "profile");
    Path printed = Files.createTempFile(folder, "printed", ".html");
    Path log = Files.createTempFile(folder, "browser", ".log");
    List<String> requests = new CopyOnWriteArrayList<>();
    try (ServerSocket proxy = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      note(proxy, requests);
      Process browser =
          new ProcessBuilder(command(page, width, dark, profile, proxy.getLocalPort(), more))
              .redirectOutput(printed.toFile())
              .redirectError(log.toFile())
              .start();
      try {
        assertThat(browser.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).as("it ended").isTrue();
      } finally {
        browser.destroyForcibly();
      }
    }
    requests.removeIf(request -> ITS_OWN.stream().anyMatch(request::contains));
    return new Visit(Files.readString(printed), Files.readString(log), requests);
  }

  private List<String> command(
      Path page, int width, boolean dark, Path profile, int proxy, String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile,
                "--proxy-server=127.0.0.1:" + proxy,
                "--proxy-bypass-list=<-loopback>",
                "--allow-file-access-from-files",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--blink-settings=preferredColorScheme=" + (dark ? 0 : 1),
                "--virtual-time-budget=20000",
                "--window-size=" + width + ",1400"));
    command.addAll(List.of(more));
    command.add(page.toUri() + "#" + width);
    return command;
  }

  private static void note(ServerSocket proxy, List<String> requests) {
    Thread thread =
        new Thread(
            () -> {
              while (!proxy.isClosed()) {
                try (Socket socket = proxy.accept()) {
                  String request = firstLine(socket.getInputStream());
                  /* The browser opens a connection ahead of requests that never come. */
                  if (!request.isEmpty()) {
                    requests.add(request);
                  }
                } catch (IOException e) {
                  /* The browser or the test has ended. */
                }
              }
            },
            "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static String firstLine(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b >= ' '; b = in.read()) {
      line.append(new String(new byte[] {(byte) b}, StandardCharsets.ISO_8859_1));
    }
    return line.toString();
  }
}
