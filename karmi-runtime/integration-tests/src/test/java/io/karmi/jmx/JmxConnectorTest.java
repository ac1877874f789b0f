package io.karmi.jmx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Certificates;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Consoles and servers in JVMs of their own; the same operations on both connectors. */
public class JmxConnectorTest {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static Jvm host(List<String> options, String... settings) throws Exception {
    List<String> arguments = new ArrayList<>(options);
    arguments.add(HostMain.class.getName());
    arguments.add(Integer.toString(FreePort.any()));
    arguments.addAll(List.of(settings));
    return Jvm.start(arguments.toArray(new String[0]));
  }

  /** A console for all attempts that leave nothing in its JVM. */
  private static Jvm lasting;

  @BeforeClass
  public static void startConsole() throws Exception {
    lasting = Jvm.start(ConsoleMain.class.getName());
  }

  @AfterClass
  public static void endConsole() {
    lasting.close();
  }

  private static List<String> console(String url, String what, String... credentials)
      throws Exception {
    if (!List.of("level", "write", "otherCredentials").contains(what)) {
      return console(List.of(), url, what, credentials);
    }
    String line = url + " " + what + " " + String.join(" ", credentials);
    return List.of(lasting.ask(line, ConsoleMain.ANSWER).split(ConsoleMain.END_OF_LINE));
  }

  private static List<String> console(
      List<String> options, String url, String what, String... credentials) throws Exception {
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of(ConsoleMain.class.getName(), url, what));
    arguments.addAll(List.of(credentials));
    try (Jvm console = Jvm.start(arguments.toArray(new String[0]))) {
      return console.everything();
    }
  }

  /** Without what the JDK logs on standard error, which begins with a date. */
  private static List<String> withoutLog(List<String> lines) {
    return lines.stream()
        .filter(line -> !line.matches("[A-Z][a-z]{2} [0-9]+, [0-9]{4} .*|(WARNING|INFO|FINE).*"))
        .toList();
  }

  @Test
  public void operationsAreTheSameAsOverTheStockConnector() throws Exception {
    try (Jvm host = host(List.of())) {
      List<String> stock = withoutLog(console(host.awaitLine("stock "), "all"));
      String url = host.awaitLine("karmi ");
      assertThat(url).matches("service:jmx:karmi://127\\.0\\.0\\.1:[1-9][0-9]*/beans");
      List<String> karmi = withoutLog(console(url, "all"));
      assertThat(karmi)
          .contains(
              "attached true",
              "level 7",
              "echo [1, 2, three]",
              "notified wanted managed number 2 handback",
              "after one that was lost wanted managed number 0 handback",
              "delegate JMX.mbean.unregistered test:type=Other");
      assertThat(karmi).isEqualTo(stock);
    }
  }

  @Test
  public void onlyAuthenticatedClientsAreLetIn() throws Exception {
    try (Jvm host = host(List.of(), "authenticator=names")) {
      String stock = host.awaitLine("stock ");
      String karmi = host.awaitLine("karmi ");
      for (String url : List.of(stock, karmi)) {
        assertThat(console(url, "level", "user", "secret")).contains("attached true", "level 1");
        assertThat(console(url, "level", "user", "wrong"))
            .containsExactly("refused java.lang.SecurityException: not let in");
        assertThat(console(url, "level"))
            .containsExactly("refused java.lang.SecurityException: not let in");
      }
      assertThat(console(karmi, "otherCredentials"))
          .as("what is no string is not even made an object of")
          .contains("\tjava.io.InvalidClassException: filter status: REJECTED");
    }
  }

  @Test
  public void passwordsAreNotGuessedFasterThanOneASecond() throws Exception {
    try (Jvm host = host(List.of(), "authenticator=names")) {
      long begin = System.nanoTime();
      List<String> tried = console(host.awaitLine("karmi "), "guess");
      long seconds = 1 + (System.nanoTime() - begin) / 1_000_000_000;
      long looked = tried.stream().filter(each -> each.equals("refused not let in")).count();
      assertThat(looked).isBetween(20L, 20 + seconds);
      assertThat(tried.size() - looked)
          .isEqualTo(
              tried.stream()
                  .filter(each -> each.contains("too many logins from 127.0.0.1"))
                  .count());
    }
  }

  @Test
  public void passwordsThatOneHostHasGuessedOverStockRmiLockNoOtherHostOut() throws Exception {
    try (Jvm host = host(List.of(), "authenticator=names")) {
      String port = host.awaitLine("karmi ").replaceFirst(".*:([0-9]+)/beans", "$1");
      List<String> guesses = stockConsole(port, "127.0.0.1", 60);
      assertThat(guesses)
          .hasSize(61)
          .anyMatch(each -> each.contains("too many logins from 127.0.0.1"))
          .last()
          .isNotEqualTo("attached");
      assertThat(stockConsole(port, "127.0.0.2", 0)).containsExactly("attached");
    }
  }

  private static List<String> stockConsole(String port, String from, int guesses) throws Exception {
    try (Jvm console =
        Jvm.start(StockConsoleMain.class.getName(), port, from, Integer.toString(guesses))) {
      return console.everything();
    }
  }

  @Test
  public void connectionsOfOneHostLeaveRoomForOthers() throws Exception {
    try (Jvm host = host(List.of("-Dkarmi.maxConnections=64"))) {
      String url = host.awaitLine("karmi ");
      assertThat(console(url, "crowd"))
          .as("a quarter of 64, and of these seven eighths")
          .anyMatch(
              line ->
                  line.contains("too many JMX connections: 14 are open, of them 14 of 127.0.0.1"))
          .last()
          .isEqualTo("opened 14");
    }
  }

  @Test
  public void listenersTakeNoMoreThanTheirShareOfTheHeap() throws Exception {
    try (Jvm host = host(List.of("-Xmx48m"))) {
      assertThat(console(host.awaitLine("karmi "), "listeners"))
          .anyMatch(line -> line.contains("refused too many JMX listeners"))
          .anyMatch(line -> line.contains("a bean is refused: too many JMX listeners"))
          .contains("fewer than all true", "one more", "those before it were there")
          .contains("some were added true", "one more than those of a bean that is gone")
          .doesNotContain("some were added false");
    }
  }

  @Test(timeout = 300_000)
  public void hashesOfParametersAreBoundedForEachMessageAndHost() throws Exception {
    try (Jvm host = host(List.of())) {
      List<String> lines = console(host.awaitLine("karmi "), "hashes");
      assertThat(lines).anyMatch(line -> line.matches("years .*the limit of a message.*"));
      assertThat(lines)
          .as("the first ones")
          .anyMatch(line -> line.matches("some .*InvalidAttributeValueException.*"))
          .as("further ones")
          .anyMatch(line -> line.matches("some .*steps a second of a host.*"));
      assertThat(lines).anyMatch(line -> line.matches("few .*InvalidAttributeValueException.*"));
    }
  }

  @Test(timeout = 300_000)
  public void namesOfAbsentClassesTakeNoMoreThanTheirShareOfTheHeap() throws Exception {
    try (Jvm host = host(List.of("-Xmx64m"))) {
      assertThat(console(host.awaitLine("karmi "), "names")).contains("looked for", "refused");
    }
  }

  @Test(timeout = 300_000)
  public void queriesAndFiltersTakeNoMoreTimeThanTheirLengthExplains() throws Exception {
    try (Jvm host = host(List.of())) {
      List<String> lines =
          console(
              List.of("--add-opens=java.management/javax.management=ALL-UNNAMED"),
              host.awaitLine("karmi "),
              "queriesThatTakeYears");
      for (String endless :
          List.of("parts in parts", "parts in parts, beans", "values in values")) {
        assertThat(lines)
            .anyMatch(
                line ->
                    line.startsWith(endless + " java.io.InvalidObjectException")
                        && line.contains("to visit all takes more than"));
      }
      assertThat(lines)
          .contains(
              "few parts in parts [test:type=Managed]",
              "asterisks []",
              "no asterisk [java.lang:type=Runtime]",
              "types added")
          .anyMatch(line -> line.startsWith("deep java.io.InvalidObjectException"))
          .anyMatch(line -> line.matches("copies of a type .*filter status: REJECTED"));
    }
  }

  @Test
  public void clientWaitsForNotificationsInOneThreadOfTheServer() throws Exception {
    try (Jvm host = host(List.of())) {
      assertThat(console(host.awaitLine("karmi "), "waits")).contains("the first has ended with 0");
    }
  }

  @Test
  public void passwordAndAccessFilesWorkAsForTheStockConnector() throws Exception {
    Path passwords = FOLDER.newFile("passwords").toPath();
    Files.writeString(passwords, "reader one\nwriter two\n");
    Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
    Path access = FOLDER.newFile("access").toPath();
    Files.writeString(access, "reader readonly\nwriter readwrite\n");
    try (Jvm host =
        host(
            List.of(),
            "jmx.remote.x.password.file=" + passwords,
            "jmx.remote.x.access.file=" + access)) {
      String stock = host.awaitLine("stock ");
      String karmi = host.awaitLine("karmi ");
      List<String> reader = console(karmi, "write", "reader", "one");
      assertThat(reader).contains("set threw java.lang.SecurityException", "level 1");
      assertThat(reader).isEqualTo(console(stock, "write", "reader", "one"));
      List<String> writer = console(karmi, "write", "writer", "two");
      assertThat(writer).contains("set done", "level 3");
      assertThat(writer).isEqualTo(console(stock, "write", "writer", "two"));
      List<String> stranger = console(karmi, "write", "reader", "two");
      assertThat(stranger).anyMatch(line -> line.startsWith("refused java.lang.SecurityException"));
      assertThat(stranger).isEqualTo(console(stock, "write", "reader", "two"));
    }
  }

  @Test
  public void modulesOfALoginConfigurationDecideAsForTheStockConnector() throws Exception {
    Path configuration = FOLDER.newFile("login.conf").toPath();
    Files.writeString(
        configuration, "Consoles { " + NamesLogin.class.getName() + " required; };\n");
    try (Jvm host =
        host(
            List.of("-Djava.security.auth.login.config=" + configuration),
            "jmx.remote.x.login.config=Consoles")) {
      String stock = host.awaitLine("stock ");
      String karmi = host.awaitLine("karmi ");
      List<String> known = console(karmi, "level", "user", "secret");
      assertThat(known).contains("attached true", "level 1");
      assertThat(known).isEqualTo(console(stock, "level", "user", "secret"));
      List<String> stranger = console(karmi, "level", "user", "wrong");
      assertThat(stranger).anyMatch(line -> line.startsWith("refused java.lang.SecurityException"));
      assertThat(stranger).isEqualTo(console(stock, "level", "user", "wrong"));
    }
  }

  @Test
  public void credentialsMayBeOfTheTypesThatASettingNames() throws Exception {
    for (String setting :
        List.of(
            "jmx.remote.rmi.server.credentials.filter.pattern="
                + "java.util.ArrayList;java.lang.Object;java.lang.String;!*",
            "jmx.remote.rmi.server.credential.types="
                + "java.util.ArrayList,[Ljava.lang.Object;,java.lang.String,[Ljava.lang.String;")) {
      try (Jvm host = host(List.of(), "authenticator=names", setting)) {
        String stock = host.awaitLine("stock ");
        String karmi = host.awaitLine("karmi ");
        for (String url : List.of(stock, karmi)) {
          assertThat(console(url, "otherCredentials"))
              .as("the authenticator has seen the list, %s, %s", setting, url)
              .containsExactly("refused java.lang.SecurityException: not let in");
          assertThat(console(url, "level", "user", "secret"))
              .as("an array of strings, %s, %s", setting, url)
              .contains("attached true");
        }
      }
    }
  }

  @Test
  public void arraysOfATypeAreNotNamedWithIt() throws Exception {
    try (Jvm host =
        host(
            List.of(),
            "authenticator=names",
            "jmx.remote.rmi.server.credential.types=java.lang.String")) {
      for (String url : List.of(host.awaitLine("stock "), host.awaitLine("karmi "))) {
        assertThat(console(url, "level", "user", "secret"))
            .contains("\tjava.io.InvalidClassException: filter status: REJECTED")
            .noneMatch(line -> line.startsWith("attached"));
      }
    }
  }

  @Test
  public void filterOfParametersReachesWhatIsMarshalled() throws Exception {
    String pattern =
        "java.rmi.MarshalledObject;java.lang.*;java.util.*;javax.management.**;"
            + "javax.security.auth.Subject;!*";
    try (Jvm host = host(List.of(), "jmx.remote.rmi.server.serial.filter.pattern=" + pattern)) {
      List<String> stock = console(host.awaitLine("stock "), "write");
      List<String> karmi = console(host.awaitLine("karmi "), "write");
      assertThat(karmi)
          .contains("set done", "level 3", "list [text]", "like [java.lang:type=Runtime]");
      assertThat(karmi)
          .as("a date is made from java.time.Ser, which the pattern does not allow")
          .contains("date threw java.io.InvalidClassException");
      assertThat(karmi).isEqualTo(stock);
    }
  }

  @Test
  public void connectionsUseTlsWhereTheNodesDo() throws Exception {
    Certificates keys = new Certificates(FOLDER.newFolder("keys").toPath());
    keys.make("server");
    keys.make("console");
    String server = keys.node("server", "console");
    String client = keys.node("console", "server");
    try (Jvm host = host(List.of("-Dkarmi.tls=" + server))) {
      String url = host.awaitLine("karmi ");
      assertThat(console(List.of("-Dkarmi.tls=" + client), url, "write"))
          .contains("attached true", "set done", "level 3");
      assertThat(console(url, "write"))
          .as("a console without TLS")
          .anyMatch(line -> line.startsWith("refused") && line.contains("requires TLS"));
    }
  }

  @Test
  public void factoriesOfSocketsAreRefusedRatherThanIgnored() throws Exception {
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    Map<String, Object> tls =
        Map.of("jmx.remote.rmi.server.socket.factory", new SslRMIServerSocketFactory());
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:karmi://127.0.0.1:0/beans"), tls, beans);
    assertThatThrownBy(server::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("SslRMIServerSocketFactory does not apply")
        .hasMessageContaining("karmi.tls");
  }

  @Test
  public void stoppedServerEndsItsConnectionsAndIsNotFoundAgain() throws Exception {
    try (Jvm host = host(List.of())) {
      String url = host.awaitLine("karmi ");
      String[] arguments = {ConsoleMain.class.getName(), url, "lost"};
      try (Jvm console = Jvm.start(arguments)) {
        console.awaitLine("waiting");
        assertThat(host.ask("c", "clients ")).isEqualTo("1");
        assertThat(host.ask("s", "stopped ")).isEqualTo("null");
        assertThat(console.awaitLine("state ")).isEqualTo("true");
        assertThat(console.awaitLine("after ")).startsWith("threw java.");
        assertThat(console.ended()).isTrue();
      }
      assertThat(console(url, "level"))
          .singleElement()
          .asString()
          .contains("refused java.io.IOException", "no object of that name, only []");
    }
  }

  @Test
  public void killedServerIsNoticed() throws Exception {
    try (Jvm host = host(List.of())) {
      String url = host.awaitLine("karmi ");
      String[] arguments = {ConsoleMain.class.getName(), url, "lost"};
      try (Jvm console = Jvm.start(arguments)) {
        console.awaitLine("waiting");
        host.kill();
        assertThat(console.awaitLine("state ")).isEqualTo("true");
        assertThat(console.awaitLine("after ")).startsWith("threw java.");
      }
    }
  }

  @Test
  public void serversShareTheRegistryOfAPortUnderDifferentNames() throws Exception {
    int port = FreePort.any();
    MBeanServer beans = MBeanServerFactory.newMBeanServer();
    JMXConnectorServer first = server(beans, port, "first");
    JMXConnectorServer second = server(beans, port, "second");
    JMXConnectorServer again = server(beans, port, "first");
    first.start();
    second.start();
    assertThatThrownBy(again::start)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the name is taken");
    assertThat(again.isActive()).isFalse();
    for (JMXConnectorServer each : List.of(first, second)) {
      try (JMXConnector connector = JMXConnectorFactory.connect(each.getAddress())) {
        assertThat(connector.getMBeanServerConnection().getDefaultDomain())
            .isEqualTo(beans.getDefaultDomain());
      }
      each.stop();
      assertThat(each.getAddress()).isNull();
    }
    JMXConnectorServer later = server(beans, port, "first");
    later.start();
    assertThat(later.getAddress().toString())
        .isEqualTo("service:jmx:karmi://127.0.0.1:" + port + "/first");
    later.stop();
  }

  @Test
  public void takenNameIsTakenOverWhereThatIsSet() throws Exception {
    int port = FreePort.any();
    JMXConnectorServer first = server(MBeanServerFactory.newMBeanServer("first"), port, "name");
    first.start();
    JMXConnectorServer second =
        JMXConnectorServerFactory.newJMXConnectorServer(
            first.getAddress(),
            Map.of("jmx.remote.jndi.rebind", "true"),
            MBeanServerFactory.newMBeanServer("second"));
    second.start();
    try (JMXConnector connector = JMXConnectorFactory.connect(first.getAddress())) {
      assertThat(connector.getMBeanServerConnection().getDefaultDomain()).isEqualTo("second");
    }
    second.stop();
    first.stop();
  }

  private static JMXConnectorServer server(MBeanServer beans, int port, String name)
      throws IOException {
    return JMXConnectorServerFactory.newJMXConnectorServer(
        new JMXServiceURL("service:jmx:karmi://127.0.0.1:" + port + "/" + name), null, beans);
  }

  @Test
  public void addressesOfOtherShapesAreRefused() throws Exception {
    ClientProvider provider = new ClientProvider();
    assertThatThrownBy(
            () -> provider.newJMXConnector(new JMXServiceURL("service:jmx:rmi://h/n"), Map.of()))
        .isInstanceOf(MalformedURLException.class)
        .hasMessageContaining("protocol rmi, not karmi");
    assertThatThrownBy(
            () ->
                provider.newJMXConnector(
                    new JMXServiceURL("service:jmx:karmi://h:1/a/b"), Map.of()))
        .isInstanceOf(MalformedURLException.class)
        .hasMessageContaining("service:jmx:karmi://host:port/name");
    assertThat(
            ((KarmiConnector)
                    provider.newJMXConnector(
                        new JMXServiceURL("service:jmx:karmi://h:1"), Map.of()))
                .getAddress()
                .toString())
        .isEqualTo("service:jmx:karmi://h:1/jmxrmi");
  }
}
