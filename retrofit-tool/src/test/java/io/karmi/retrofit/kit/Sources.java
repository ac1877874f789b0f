package io.karmi.retrofit.kit;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources against the JDK alone, or a class path. */
public final class Sources {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?m)(?:^|;)\\s*(?:public\\s+|final\\s+|abstract\\s+|sealed\\s+|open\\s+)*"
              + "(?:class|interface|enum|record|module)\\s+([\\w.]+)");

  private Sources() {}

  /** Compiles compilation units, with all debug information, into a directory. */
  public static Path compile(Path directory, List<String> options, String... units) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      Files.createDirectories(directory);
      List<String> all =
          new ArrayList<>(
              List.of(
                  "-d",
                  directory.toString(),
                  "-g",
                  "-parameters",
                  "-nowarn",
                  "-proc:none",
                  "--release",
                  "17"));
      all.addAll(options);
      List<JavaFileObject> sources = new ArrayList<>();
      for (String unit : units) {
        sources.add(new Unit(unit));
      }
      if (!compiler.getTask(messages, files, null, all, null, sources).call()) {
        throw new AssertionError("does not compile:\n" + messages);
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Unit extends SimpleJavaFileObject {
    private final String text;

    Unit(String text) {
      super(URI.create("string:///" + path(text) + ".java"), Kind.SOURCE);
      this.text = text;
    }

    private static String path(String text) {
      Matcher type = TYPE.matcher(text);
      if (!type.find()) {
        throw new AssertionError("no type in " + text);
      }
      if (text.strip().startsWith("module ") || text.strip().startsWith("open module ")) {
        return "module-info";
      }
      Matcher inPackage = PACKAGE.matcher(text);
      String prefix = inPackage.find() ? inPackage.group(1).replace('.', '/') + "/" : "";
      return prefix + type.group(1);
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
