package io.karmi.retrofit.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.retrofit.kit.Jars;
import io.karmi.retrofit.kit.Sources;
import io.karmi.retrofit.rules.RetrofitOptions;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is said of programs that are compiled here. */
public class ExplanationTest {
  private static final String SWAPPED = "Swapped in";
  private static final String STAYS = "Stays as it is";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private Path root;

  @Before
  public void root() {
    root = folder.getRoot().toPath();
  }

  /** Classes with these bodies, each {@code a.Name}. */
  private Path classes(String... units) {
    return Sources.compile(root.resolve("classes"), List.of("-Xlint:-removal"), units);
  }

  private static String unit(String name, String extended, String method) {
    return "package a; import java.io.*; import java.rmi.*; import java.rmi.registry.*;"
        + " import java.rmi.server.*; public class "
        + name
        + " "
        + extended
        + " { "
        + method
        + " }";
  }

  private static String explained(Way way, RetrofitOptions options, Path... roots)
      throws IOException {
    Explanation explanation = new Explanation(way, options);
    explanation.read(List.of(roots));
    return printed(explanation);
  }

  private static String printed(Explanation explanation) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    explanation.print(new PrintStream(out, true, StandardCharsets.UTF_8), true);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String explained(Path... roots) throws IOException {
    return explained(Way.AGENT, RetrofitOptions.defaults(), roots);
  }

  /** The part under a title, up to the next one. */
  private static String part(String text, String title) {
    Matcher part = Pattern.compile("(?ms)^" + title + "$(.*?)(?=^\\S|\\z)").matcher(text);
    return part.find() ? part.group(1) : "";
  }

  /** The part of a part that is about one use. */
  private static String use(String text, String title, Use use) {
    Matcher part =
        Pattern.compile("(?ms)^  " + Pattern.quote(use.title) + ":(.*?)(?=^  \\S|\\z)")
            .matcher(part(text, title));
    return part.find() ? part.group(1) : "";
  }

  @Test
  public void streamsThatAreOpenedAreToldFromThoseThatAreOnlyNamed() throws IOException {
    String text =
        explained(
            classes(
                unit(
                    "Out",
                    "",
                    "Object a() throws Exception { return new ObjectOutputStream(null); }"),
                unit(
                    "In",
                    "extends ObjectInputStream",
                    "In(InputStream in) throws IOException { super(in); }"),
                unit(
                    "Only",
                    "",
                    "void a(ObjectOutputStream out) throws IOException { out.flush(); }")));
    assertThat(use(text, SWAPPED, Use.OUTPUT_STREAMS)).contains("a.Out").doesNotContain("a.Only");
    assertThat(use(text, SWAPPED, Use.INPUT_STREAMS)).contains("a.In").doesNotContain("a.Only");
    assertThat(text).contains("Read 3 classes in 1 jar or folder. Nothing was run.");
  }

  @Test
  public void exportsWithSocketsOrFiltersStayUnlessTheyAreTheConstantNull() throws IOException {
    String text =
        explained(
            classes(
                unit(
                    "Plain",
                    "",
                    "void a(Remote r) throws Exception { UnicastRemoteObject.exportObject(r, 0); }"),
                unit("Extends", "extends UnicastRemoteObject", "Extends() throws Exception {}"),
                unit(
                    "Nulls",
                    "",
                    "void a(Remote r) throws Exception { UnicastRemoteObject.exportObject(r, 0, null, (RMIServerSocketFactory) null); }"),
                unit(
                    "Sockets",
                    "extends UnicastRemoteObject",
                    "Sockets(RMIClientSocketFactory f) throws Exception { super(0, f, null); }"),
                unit(
                    "Filtered",
                    "",
                    "void a(Remote r, ObjectInputFilter f) throws Exception { UnicastRemoteObject.exportObject(r, 0, f); }"),
                unit(
                    "Both",
                    "",
                    "void a(Remote r, RMIServerSocketFactory s) throws Exception { UnicastRemoteObject.exportObject(r, 0, null, s, null); }"),
                unit(
                    "Factory",
                    "implements RMIClientSocketFactory",
                    "public java.net.Socket createSocket(String h, int p) { return null; }")));
    assertThat(use(text, SWAPPED, Use.EXPORTS))
        .contains("a.Plain", "a.Extends", "a.Nulls")
        .doesNotContain("a.Sockets", "a.Filtered", "a.Both");
    assertThat(use(text, STAYS, Use.SOCKET_EXPORTS))
        .contains("a.Sockets", "a.Both")
        .contains("stock RMI");
    assertThat(use(text, STAYS, Use.FILTER_EXPORTS))
        .contains("a.Filtered")
        .doesNotContain("a.Both");
    assertThat(use(text, STAYS, Use.SOCKET_FACTORIES)).contains("a.Factory");
  }

  @Test
  public void registriesFiltersJmxAndInternalsAreFound() throws IOException {
    String text =
        explained(
            classes(
                unit(
                    "Finds",
                    "",
                    "Object a() throws Exception { return LocateRegistry.getRegistry(1); }"),
                unit(
                    "Sockets",
                    "",
                    "Object a(RMIClientSocketFactory f) throws Exception { return LocateRegistry.createRegistry(1, f, null); }"),
                unit(
                    "Filters",
                    "",
                    "void a(ObjectInputStream in, ObjectInputFilter f) { in.setObjectInputFilter(f); }"),
                unit(
                    "Jmx",
                    "",
                    "Object a() throws Exception { return javax.management.remote.JMXConnectorFactory.connect(null); }"),
                unit(
                    "Proxy",
                    "",
                    "Object a(RemoteRef r) { return new RemoteObjectInvocationHandler(r); }"),
                unit(
                    "Kept",
                    "",
                    "Object a() throws Exception { return new MarshalledObject<>(1); }")));
    assertThat(use(text, SWAPPED, Use.REGISTRIES)).contains("a.Finds").doesNotContain("a.Sockets");
    assertThat(use(text, STAYS, Use.SOCKET_REGISTRIES)).contains("a.Sockets");
    assertThat(use(text, SWAPPED, Use.FILTERS)).contains("a.Filters");
    assertThat(use(text, STAYS, Use.JMX)).contains("a.Jmx");
    assertThat(use(text, STAYS, Use.INTERNALS)).contains("a.Proxy");
    assertThat(use(text, STAYS, Use.MARSHALLED_OBJECTS)).contains("a.Kept");
  }

  @Test
  public void whatAWayOrAnOptionLeavesAloneStays() throws IOException {
    Path classes =
        classes(
            unit(
                "Both",
                "",
                "void a(Remote r) throws Exception { UnicastRemoteObject.exportObject(r, 0);"
                    + " new ObjectOutputStream(null); }"));
    RetrofitOptions streams = RetrofitOptions.parse("only=serialization");
    RetrofitOptions rmi = RetrofitOptions.parse("only=rmi");
    assertThat(part(explained(Way.AGENT, streams, classes), STAYS)).contains(Use.EXPORTS.title);
    assertThat(part(explained(Way.AGENT, rmi, classes), STAYS)).contains(Use.OUTPUT_STREAMS.title);
    String boot = explained(Way.BOOT, RetrofitOptions.defaults(), classes);
    assertThat(use(boot, STAYS, Use.OUTPUT_STREAMS)).contains("a.Both");
    assertThat(use(boot, SWAPPED, Use.EXPORTS)).contains("a.Both");
    assertThat(explained(Way.AGENT, RetrofitOptions.parse("exclude=a.*"), classes))
        .contains("KaRMI leaves them as they are");
  }

  private static void add(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (name.endsWith(".jar")) { // a launcher maps them
      CRC32 crc = new CRC32();
      crc.update(bytes);
      entry.setMethod(ZipEntry.STORED);
      entry.setSize(bytes.length);
      entry.setCrc(crc.getValue());
    }
    jar.putNextEntry(entry);
    jar.write(bytes);
    jar.closeEntry();
  }

  private static byte[] ofTomcat(String resource) throws IOException {
    try (InputStream in = ExplanationTest.class.getResourceAsStream("/" + resource)) {
      return in.readAllBytes();
    }
  }

  @Test
  public void jarsInsideAnExecutableJarAreRead() throws IOException {
    Path classes =
        classes(
            unit(
                "Out", "", "Object a() throws Exception { return new ObjectOutputStream(null); }"));
    Path library = Jars.of(root.resolve("library.jar"), Jars.manifest(), classes);
    Path boot = root.resolve("boot.jar");
    String session = "org/apache/catalina/session/StandardManager.class";
    try (OutputStream file = Files.newOutputStream(boot);
        JarOutputStream jar =
            new JarOutputStream(file, Jars.manifest("Main-Class", "x.Launcher"))) {
      add(jar, "BOOT-INF/classes/b/Out.class", Files.readAllBytes(classes.resolve("a/Out.class")));
      add(jar, "BOOT-INF/classes/" + session, ofTomcat(session));
      add(jar, "BOOT-INF/lib/library.jar", Files.readAllBytes(library));
    }
    String text = explained(boot);
    assertThat(use(text, SWAPPED, Use.OUTPUT_STREAMS))
        .contains("library.jar", "a.Out", "boot.jar", "b.Out");
    assertThat(part(text, "Known products")).contains("Tomcat (boot.jar)");
  }

  @Test
  public void commandLineLeadsToClassPathManifestsAndSettings() throws Exception {
    Path classes =
        classes(
            unit(
                "Out", "", "Object a() throws Exception { return new ObjectOutputStream(null); }"));
    Path lib = Files.createDirectory(root.resolve("lib"));
    Jars.of(lib.resolve("named.jar"), Jars.manifest(), classes);
    Path app =
        Jars.of(
            root.resolve("app.jar"),
            Jars.manifest("Class-Path", "lib/named.jar lib/gone.jar"),
            Files.createDirectory(root.resolve("empty")));
    Explanation explanation = new Explanation(Way.AGENT, RetrofitOptions.defaults());
    explanation.read(
        Launch.of(
            List.of(
                "-Xmx1g",
                "--add-opens",
                "java.base/java.io=ALL-UNNAMED",
                "-Dcom.sun.management.jmxremote.port=1",
                "-javaagent:other.jar=x",
                "-jar",
                app.toString(),
                "-cp",
                "nope.jar")));
    String text = printed(explanation);
    assertThat(use(text, SWAPPED, Use.OUTPUT_STREAMS)).contains("named.jar", "a.Out");
    assertThat(part(text, "Notes"))
        .contains("gone.jar: is not there", "jmxremote.port", "other.jar: another agent")
        .doesNotContain("nope.jar");
    Path arguments =
        Files.writeString(root.resolve("java.args"), "-cp '" + lib + "/*' # jars\n-ea");
    for (List<String> each :
        List.of(
            List.of("--class-path=" + classes, "a.Out"),
            List.of("-cp", lib + File.separator + "*", "a.Out"),
            List.of("@" + arguments, "a.Out"),
            List.of("-p", lib.toString(), "-m", "named/a.Out"))) {
      Explanation other = new Explanation(Way.AGENT, RetrofitOptions.defaults());
      other.read(Launch.of(each));
      assertThat(printed(other)).as("%s", each).contains("a.Out");
    }
    assertThatThrownBy(() -> Launch.of(List.of("-Xmx1g")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no program is named");
  }

  private static String unitOut(String type) {
    return "package "
        + type.substring(0, type.lastIndexOf('.'))
        + "; public class "
        + type.substring(type.lastIndexOf('.') + 1)
        + " { Object a(java.io.OutputStream to) throws Exception"
        + " { return new java.io.ObjectOutputStream(to); } }";
  }

  private Path jar(String path, String type, String... attributes) throws IOException {
    Path jar = root.resolve(path);
    Files.createDirectories(jar.getParent());
    Path classes = Sources.compile(root.resolve("of-" + type), List.of(), unitOut(type));
    return Jars.of(jar, Jars.manifest(attributes), classes);
  }

  @Test
  public void launchersOfKnownProductsLeadToTheJarsThatTheyOpen() throws Exception {
    String launcher = "org.apache.jmeter.NewDriver";
    Path jmeter = jar("jmeter/bin/ApacheJMeter.jar", launcher, "Main-Class", launcher);
    jar("jmeter/lib/ext/core.jar", "jmeter.Core");
    jar("jmeter/lib/logs.jar", "jmeter.Logs");
    assertThat(explained(Launch.of(List.of("-jar", jmeter.toString()))))
        .contains("jmeter.Core", "jmeter.Logs");
    String bootstrap = "org.apache.catalina.startup.Bootstrap";
    Path tomcat = jar("tomcat/bin/bootstrap.jar", bootstrap);
    jar("tomcat/lib/catalina.jar", "tomcat.Catalina");
    jar("tomcat/webapps/shop/WEB-INF/lib/cart.jar", "shop.Cart");
    jar("tomcat/webapps/other.war", "war.Packed");
    assertThat(explained(Launch.of(List.of("-cp", tomcat.toString(), bootstrap, "start"))))
        .contains("tomcat.Catalina", "shop.Cart", "war.Packed");
    Path copy = Files.copy(tomcat, root.resolve("bootstrap.jar"));
    String home = "-Dcatalina.home=" + root.resolve("tomcat");
    assertThat(explained(Launch.of(List.of("-cp", copy.toString(), home, bootstrap))))
        .contains("tomcat.Catalina");
    assertThat(explained(Launch.of(List.of("-cp", tomcat.toString(), "java.lang.Object"))))
        .doesNotContain("tomcat.Catalina");
  }

  /** The JVM goes on to the next element of the class path, too. */
  @Test
  public void aJarOfTheClassPathThatIsNoneIsANote() throws Exception {
    Path broken = Files.writeString(root.resolve("broken.jar"), "no jar");
    String path = broken + File.pathSeparator + classes(unit("Out", "", "void a() {}"));
    assertThat(explained(Launch.of(List.of("-cp", path, "a.Out"))))
        .contains("Read 1 class in 1 jar or folder")
        .contains(broken + ": was not read to its end");
  }

  private static String explained(Launch launch) throws IOException {
    Explanation explanation = new Explanation(Way.AGENT, RetrofitOptions.defaults());
    explanation.read(launch);
    return printed(explanation);
  }

  /** A command of its own: a JVM stays in the directory in which it was started. */
  @Test
  public void currentDirectoryIsReadOnlyWhereAnElementOfTheClassPathIsEmpty() throws Exception {
    Path classes =
        classes(
            unit(
                "Out", "", "Object a() throws Exception { return new ObjectOutputStream(null); }"));
    Path jars = Files.createDirectory(root.resolve("jars"));
    Jars.of(jars.resolve("other.jar"), Jars.manifest(), classes);
    Path app =
        Jars.of(
            root.resolve("app.jar"), Jars.manifest(), Files.createDirectory(root.resolve("none")));
    assertThat(explainedIn(jars, "-cp", "." + File.pathSeparator + app, "java.lang.Object"))
        .as("jars in a directory of the class path")
        .doesNotContain("a.Out");
    assertThat(explainedIn(jars, "-jar", app.toString())).doesNotContain("a.Out");
    assertThat(explainedIn(jars, "-p", app.toString(), "-m", "app/a.Main")).doesNotContain("a.Out");
    assertThat(explainedIn(classes, "-cp", app + File.pathSeparator, "a.Out")).contains("a.Out");
    for (String[] here : new String[][] {{"a.Out"}, {"-cp", ".", "a.Out"}}) {
      assertThat(explainedIn(classes, here)).containsPattern("      in \\.\\R        a\\.Out");
    }
  }

  private String explainedIn(Path directory, String... arguments) throws Exception {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.karmi.retrofit.cli.Explain",
                "--explain"));
    line.addAll(List.of(arguments));
    Path out = folder.newFile().toPath();
    ProcessBuilder builder = new ProcessBuilder(line).directory(directory.toFile());
    builder.environment().remove("CLASSPATH");
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String text = Files.readString(out);
    assertThat(process.exitValue()).as(text).isZero();
    return text;
  }

  @Test
  public void programThatJavaWouldNotFindIsAnError() throws Exception {
    assertThatThrownBy(() -> Launch.of(List.of("-jar", root + "/gone.jar")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("gone.jar");
    Path classes = classes(unit("Here", "", ""));
    for (List<String> each :
        List.of(
            List.of("-cp", classes.toString(), "a.Gone"),
            List.of("-cp", root + "/gone", "a.Here"))) {
      Explanation explanation = new Explanation(Way.AGENT, RetrofitOptions.defaults());
      Launch launch = Launch.of(each);
      assertThatThrownBy(() -> explanation.read(launch))
          .as("%s", each)
          .isInstanceOf(IOException.class)
          .hasMessage("the class " + each.get(2) + " is not on the class path: check -cp");
    }
    for (String each : List.of("a.Here", "a/Here", "java.lang.Object", "Here.java")) {
      new Explanation(Way.AGENT, RetrofitOptions.defaults())
          .read(Launch.of(List.of("-cp", classes.toString(), each)));
    }
  }

  @Test
  public void everyPageIsThereWithItsHeading() throws IOException {
    for (Use each : Use.values()) {
      assertIsThere(each.page);
    }
    for (Framework each : Framework.values()) {
      assertIsThere(each.page);
    }
  }

  private static void assertIsThere(String page) throws IOException {
    String[] parts = page.split("#");
    String text = Files.readString(Path.of("..", parts[0]));
    if (parts.length > 1) {
      assertThat(text.lines().filter(line -> line.startsWith("#")))
          .extracting(
              line ->
                  line.replaceFirst("^#+ ", "")
                      .toLowerCase(java.util.Locale.ROOT)
                      .replaceAll("[^a-z0-9 -]", "")
                      .replace(' ', '-'))
          .as(page)
          .contains(parts[1]);
    }
  }
}
