package io.karmi.stubgen.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** The options of karmic, among them those of rmic with the meaning they have there. */
final class CommandLineOptions {
  static final String HELP =
      """
      usage: karmic [options] CLASS...
             karmic [options] --scan PATH...

      Writes KaRMI's stubs and skeletons ahead of time, as class files. A CLASS is the name of a remote
      interface, or of a class that implements some. Put the output on the class path of both sides: the
      runtime finds the classes by name and makes none itself.

        -d DIRECTORY          where the files go, in the folders of their packages; by default here
        -classpath PATH       where the classes are; by default the CLASSPATH variable, or here
        -cp, --class-path     the same
        --scan PATH           take all remote interfaces and classes of this jar or directory
        --release N           make class files for Java N and later; 17 or more, by default 17
        --source              write Java source instead of class files
        -keep                 write Java source beside the class files, as rmic's -keep
        --native-image        write GraalVM's reachability metadata, too: META-INF/native-image/...
        -nowarn               leave out warnings
        -nowrite              only check
        -verbose              print the name of each file that is written; files that would stay as
                              they are, are not
        -J<option>            give an option to the JVM that runs karmic
        -h, --help            this text
        --version             version, commit and JDK
        --trace               where it failed, if it fails

      of rmic besides: -keepgenerated is -keep; -target N is --release N; -bootclasspath PATH and
      -extdirs DIRECTORIES are searched like the class path; -g, -depend, -vcompat, -v1.1 and -v1.2 have
      no effect. IIOP (-iiop, -idl) is not supported.

      Stubs of app.Clock are app.Clock_KStub and app.Clock_KSkel. Errors are one line each, all of them,
      file: member: reason; then nothing is written.

      exit status: 0 all was written, 1 something failed, 2 wrong usage.
      """;

  private static final int OLDEST_RELEASE = 17;
  private static final int NEWEST_RELEASE = 28;

  /** Major version of the class files of a release: more by this. */
  private static final int CLASS_FILE_OFFSET = 44;

  private static final Map<String, String> WITHOUT_EFFECT =
      new TreeMap<>(
          Map.of(
              "g", "generated code has no line numbers",
              "depend", "nothing is compiled besides",
              "vcompat", "stubs speak KaRMI's protocol",
              "v11", "stubs speak KaRMI's protocol",
              "v12", "stubs speak KaRMI's protocol"));

  private final CommandLine line;

  private CommandLineOptions(CommandLine line) {
    this.line = line;
  }

  static CommandLineOptions parse(String... arguments) throws ParseException {
    List<String> parsed = new ArrayList<>();
    for (String argument : arguments) {
      parsed.add(argument.matches("-v1\\.[12]") ? argument.replace(".", "") : argument);
    }
    CommandLine line =
        DefaultParser.builder()
            .setAllowPartialMatching(false)
            .get()
            .parse(all(), parsed.toArray(new String[0]));
    for (String refused : List.of("iiop", "idl")) {
      if (line.hasOption(refused)) {
        throw new ParseException("-" + refused + " is not supported: KaRMI speaks no IIOP");
      }
    }
    return new CommandLineOptions(line);
  }

  boolean wantsWarnings() {
    return !line.hasOption("nowarn");
  }

  boolean writes() {
    return !line.hasOption("nowrite");
  }

  boolean isVerbose() {
    return line.hasOption("verbose");
  }

  /** A line for each option of rmic's that does nothing here. */
  List<String> withoutEffect() {
    List<String> lines = new ArrayList<>();
    if (wantsWarnings()) {
      WITHOUT_EFFECT.forEach(
          (option, why) -> {
            if (line.hasOption(option)) {
              lines.add("warning: -" + option.replace("v1", "v1.") + " has no effect: " + why);
            }
          });
    }
    return lines;
  }

  CompilerOptions settings() throws ParseException, NoSuchFileException {
    List<String> classNames = new ArrayList<>();
    List<Path> scanned = paths(List.of(values("scan")));
    for (String argument : line.getArgs()) {
      if (!scanned.isEmpty()
          && (argument.endsWith(".jar") || Files.isDirectory(Path.of(argument)))) {
        scanned.add(Path.of(argument));
      } else {
        classNames.add(argument.replace('/', '.'));
      }
    }
    if (classNames.isEmpty() && scanned.isEmpty()) {
      throw new ParseException("no class is named, and no jar to --scan");
    }
    for (Path path : scanned) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
    }
    boolean source = line.hasOption("source");
    return new CompilerOptions(
        classPath(scanned),
        scanned,
        classNames,
        Path.of(line.getOptionValue("d", ".")),
        CLASS_FILE_OFFSET + release(),
        !source,
        source || line.hasOption("keep") || line.hasOption("keepgenerated"),
        line.hasOption("native-image"));
  }

  private String[] values(String option) {
    String[] values = line.getOptionValues(option);
    return values == null ? new String[0] : values;
  }

  private static List<Path> paths(List<String> names) {
    List<Path> paths = new ArrayList<>();
    for (String name : names) {
      paths.add(Path.of(name));
    }
    return paths;
  }

  private List<Path> classPath(List<Path> scanned) {
    List<Path> entries = new ArrayList<>(scanned);
    String fallback = System.getenv().getOrDefault("CLASSPATH", ".");
    String named = line.getOptionValue("cp", line.getOptionValue("class-path", fallback));
    for (String list : List.of(line.getOptionValue("bootclasspath", ""), named)) {
      if (!list.isEmpty()) {
        add(list, entries);
      }
    }
    for (String directory : line.getOptionValue("extdirs", "").split(File.pathSeparator, -1)) {
      if (!directory.isEmpty()) {
        addJars(Path.of(directory), entries);
      }
    }
    return entries;
  }

  private static void add(String list, List<Path> entries) {
    for (String entry : list.split(File.pathSeparator, -1)) {
      if (entry.equals("*") || entry.endsWith("/*")) {
        addJars(
            Path.of(entry.length() == 1 ? "." : entry.substring(0, entry.length() - 1)), entries);
      } else {
        entries.add(Path.of(entry.isEmpty() ? "." : entry));
      }
    }
  }

  private static void addJars(Path directory, List<Path> entries) {
    File[] jars = directory.toFile().listFiles((parent, name) -> name.endsWith(".jar"));
    if (jars != null) {
      java.util.Arrays.sort(jars);
      for (File jar : jars) {
        entries.add(jar.toPath());
      }
    }
  }

  private int release() throws ParseException {
    String given = line.getOptionValue("release", line.getOptionValue("target"));
    if (given == null) {
      return OLDEST_RELEASE;
    }
    try {
      int release = Integer.parseInt(given);
      if (release >= OLDEST_RELEASE && release <= NEWEST_RELEASE) {
        return release;
      }
    } catch (NumberFormatException e) {
      /* Said below. */
    }
    throw new ParseException(
        "--release " + given + ": " + OLDEST_RELEASE + " to " + NEWEST_RELEASE + " can be made");
  }

  private static Options all() {
    Options options = new Options();
    for (String flag : List.of("g", "depend", "vcompat", "v11", "v12", "iiop", "idl")) {
      options.addOption(flag, false, "");
    }
    for (String flag : List.of("keep", "keepgenerated", "nowarn", "nowrite")) {
      options.addOption(flag, false, "");
    }
    for (String path : List.of("bootclasspath", "extdirs", "target", "d")) {
      options.addOption(path, true, "");
    }
    return options
        .addOption(Option.builder("cp").longOpt("classpath").hasArg().get())
        .addOption(Option.builder().longOpt("class-path").hasArg().get())
        .addOption(Option.builder().longOpt("scan").hasArg().get())
        .addOption(Option.builder().longOpt("release").hasArg().get())
        .addOption(Option.builder().longOpt("source").get())
        .addOption(Option.builder().longOpt("native-image").get())
        .addOption(Option.builder("v").longOpt("verbose").get());
  }
}
