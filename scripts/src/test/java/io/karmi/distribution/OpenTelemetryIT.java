package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Recipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Under OpenTelemetry's agent, calls have the same spans whether their ends are on the JDK's RMI or
 * on KaRMI. Two servers, both called by each of two clients. Messages and requests have spans, too.
 * A JVM under that agent takes seconds to start, so all tests look at the same five.
 */
public class OpenTelemetryIT {
  private static final Path LIB = Path.of("target", "karmi", "lib").toAbsolutePath();
  private static final Path TELEMETRY = Path.of("target", "opentelemetry").toAbsolutePath();

  /** Where the files are that the page names; the program is put in front of the class path. */
  private static final Map<String, Object> HERE =
      Map.of(
          "karmi/lib/", LIB + "/",
          "app.jar", "",
          "opentelemetry-javaagent.jar", TELEMETRY.resolve("opentelemetry-javaagent.jar"),
          "opentelemetry-api.jar", TELEMETRY.resolve("opentelemetry-api.jar"),
          "opentelemetry-context.jar", TELEMETRY.resolve("opentelemetry-context.jar"),
          "opentelemetry-common.jar", TELEMETRY.resolve("opentelemetry-common.jar"));

  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private static final Pattern PORT = Pattern.compile("(?m)^port (\\d+)$");
  private static final Pattern SPAN =
      Pattern.compile(
          "\\{\"traceId\":\"(\\w+)\",\"spanId\":\"(\\w+)\",(?:\"parentSpanId\":\"(\\w*)\",)?"
              + "\"name\":\"([^\"]+)\",\"kind\":(\\d)");
  private static final Pattern TOLD =
      Pattern.compile(
          "\"key\":\"((?:rpc|exception|messaging|error)\\.(?!stacktrace)[a-z.]+)\","
              + "\"value\":\\{\"stringValue\":\"([^\"]*)\"}");

  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String programs;

  /** What clients have printed. */
  private static String ofStockClient;

  private static String ofKarmiClient;
  private static String ofUntracedClient;

  /** What servers have printed when all clients are gone. */
  private static String ofStockServer;

  private static String ofKarmiServer;

  @BeforeClass
  public static void run() throws Exception {
    compile();
    Run stockServer = new Run(FOLDER, command(false, false, "app.ShopServer"));
    Run karmiServer = new Run(FOLDER, command(true, true, "app.Mall"));
    try {
      String stock = ports(1, stockServer).get(0);
      List<String> karmi = ports(2, karmiServer);
      String shop = karmi.get(0);
      String post = karmi.get(1);
      ofStockClient = client(command(false, false, "app.ShopClient"), stock, shop);
      ofKarmiClient = client(command(true, true, "app.Mall"), stock, shop, post);
      ofUntracedClient = client(command(true, false, "app.Post"), post);
      ofStockServer = withSpans(4, stockServer);
      ofKarmiServer = withSpans(4 + 8, karmiServer);
    } finally {
      stockServer.kill();
      karmiServer.kill();
    }
  }

  private static void compile() throws Exception {
    programs = FOLDER.newFolder("programs").toString();
    List<String> arguments =
        new ArrayList<>(
            List.of("-nowarn", "-d", programs, "-cp", LIB.resolve("karmi.jar").toString()));
    for (String name :
        List.of("Till", "Shop", "ShopServer", "ShopClient", "OpenRegistry", "Post", "Mall")) {
      arguments.add(Path.of("src", "test", "programs", "app", name + ".java").toString());
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .isZero();
  }

  @Test
  public void spansAreThoseOfTheJdksRmi() {
    Map<String, List<String>> seen = new LinkedHashMap<>();
    addSpans(seen, "client of the JDK", ofStockClient);
    addSpans(seen, "client of KaRMI", ofKarmiClient);
    List<String> stock = seen.get("client of the JDK, server of the JDK");
    assertThat(stock)
        .containsExactly(
            "3 app.Till/total rpc.method=total rpc.service=app.Till rpc.system=java_rmi",
            "2 app.ShopServer/total rpc.method=total rpc.service=app.ShopServer"
                + " rpc.system=java_rmi",
            "3 app.Shop/fail error exception.message=closed on Sundays"
                + " exception.type=java.lang.IllegalStateException"
                + " rpc.method=fail rpc.service=app.Shop rpc.system=java_rmi",
            "2 app.ShopServer/fail error exception.message=closed on Sundays"
                + " exception.type=java.lang.IllegalStateException"
                + " rpc.method=fail rpc.service=app.ShopServer rpc.system=java_rmi");
    assertThat(seen).hasSize(4).allSatisfy((ends, spans) -> assertThat(spans).isEqualTo(stock));
  }

  /** Of a client that has called both servers: the first half of its spans are of the first one. */
  private static void addSpans(Map<String, List<String>> seen, String name, String client) {
    List<Span> calls =
        Span.allIn(client).stream().filter(each -> each.text.contains("rpc.system")).toList();
    int half = calls.size() / 2;
    seen.put(name + ", server of the JDK", spans(calls.subList(0, half), ofStockServer));
    seen.put(name + ", server of KaRMI", spans(calls.subList(half, calls.size()), ofKarmiServer));
  }

  private static List<String> ports(int count, Run server) throws Exception {
    String output = server.awaitOutput(printed -> PORT.matcher(printed).results().count() == count);
    return PORT.matcher(output).results().map(line -> line.group(1)).toList();
  }

  @Test
  public void messagesAndRequestsHaveSpansWithTheSendersAsParent() {
    assertThat(Span.allIn(ofUntracedClient)).as("without karmi-opentelemetry.jar").isEmpty();
    List<Span> sent =
        Span.allIn(ofKarmiClient).stream()
            .filter(each -> each.text.contains("messaging.system"))
            .toList();
    String failed = "java.lang.IllegalArgumentException";
    String thrown = " exception.message=no idea exception.type=" + failed;
    assertThat(spans(sent, ofKarmiServer))
        .containsExactly(
            message(4, "send", "send", "Order", ""),
            message(5, "process", "process", "Order", ""),
            message(3, "request", "send", "Question", ""),
            message(2, "process", "process", "Question", ""),
            message(3, "request", "send", "Question", ""),
            message(2, "process", "process", "Question", ""),
            message(3, "request", "send", "Question", " error error.type=" + failed + thrown),
            message(2, "process", "process", "Question", " error error.type=" + failed + thrown));
    assertThat(Span.allIn(ofKarmiServer))
        .as("of the sender that is not traced")
        .filteredOn(each -> each.parent.isEmpty())
        .hasSize(4);
  }

  private static String message(
      int kind, String operation, String operationType, String type, String error) {
    return kind
        + (" " + operation + " app.Post$" + type + error)
        + (" messaging.destination.name=app.Post$" + type)
        + (" messaging.operation.name=" + operation)
        + (" messaging.operation.type=" + operationType)
        + " messaging.system=karmi";
  }

  private static String client(List<String> command, String... arguments) throws Exception {
    command.addAll(List.of(arguments));
    Run client = new Run(FOLDER, command);
    try {
      assertThat(client.awaitEnd()).as(client.output()).isZero();
      return client.output();
    } finally {
      client.kill();
    }
  }

  /** A command; with spans by KaRMI it is that of docs/recipes/opentelemetry.md. */
  private static List<String> command(boolean karmi, boolean traced, String main)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA));
    if (traced) {
      List<String> page = Recipe.read("opentelemetry").command("java", HERE);
      command.addAll(page.subList(1, page.size() - 1));
      command.set(command.indexOf("-cp") + 1, programs + command.get(command.indexOf("-cp") + 1));
    } else {
      if (karmi) {
        command.add("-javaagent:" + LIB.resolve("karmi.jar"));
      }
      command.add("-javaagent:" + TELEMETRY.resolve("opentelemetry-javaagent.jar"));
      command.add("-Dotel.instrumentation.common.default-enabled=false"); // starts in half the time
      command.add("-Dotel.instrumentation.rmi.enabled=true");
      command.addAll(List.of("-cp", programs));
    }
    command.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    command.add("-Dotel.traces.exporter=experimental-otlp/stdout");
    command.add("-Dotel.bsp.schedule.delay=100"); // ms until a span is printed
    command.add("-Dotel.metrics.exporter=none");
    command.add("-Dotel.logs.exporter=none");
    command.add(main);
    return command;
  }

  /** What a server has printed, as soon as that many spans are in it. */
  private static String withSpans(int count, Run server) throws Exception {
    return server.awaitOutput(output -> Span.allIn(output).size() >= count);
  }

  /** The client's spans, each with the server's that have it as their parent behind it. */
  private static List<String> spans(List<Span> client, String server) {
    List<String> lines = new ArrayList<>();
    for (Span each : client) {
      lines.add(each.text);
      for (Span served : Span.allIn(server)) {
        if (each.id.equals(served.parent)) {
          assertThat(served.trace).isEqualTo(each.trace);
          lines.add(served.text);
        }
      }
    }
    return lines;
  }

  private record Span(String trace, String id, String parent, String text) {
    Span {
      parent = parent == null ? "" : parent;
    }

    static List<Span> allIn(String output) {
      List<Span> all = new ArrayList<>();
      Matcher spans = SPAN.matcher(output);
      int[] ends = spans.results().mapToInt(each -> each.start()).skip(1).toArray();
      spans.reset();
      for (int i = 0; spans.find(); i++) {
        String rest = output.substring(spans.end(), i < ends.length ? ends[i] : output.length());
        String text = spans.group(5) + ' ' + spans.group(4);
        if (rest.contains("\"status\":{\"code\":2")) {
          text += " error";
        }
        TreeSet<String> told = new TreeSet<>();
        TOLD.matcher(rest).results().forEach(r -> told.add(r.group(1) + '=' + r.group(2)));
        all.add(
            new Span(
                spans.group(1),
                spans.group(2),
                spans.group(3),
                text + ' ' + String.join(" ", told)));
      }
      return all;
    }
  }
}
