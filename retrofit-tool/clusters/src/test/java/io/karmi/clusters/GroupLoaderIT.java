package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The loader of docs/exchange-uses.md, which fills a cache of Caffeine from an exchange space. */
public class GroupLoaderIT {
  private static final Pattern LOADER =
      Pattern.compile("```java\n(import [^`]*class GroupLoader.*?)```", Pattern.DOTALL);

  private static final String PROGRAM =
      """
      import com.github.benmanes.caffeine.cache.*;
      import io.karmi.exchange.ExchangeSpace;
      import io.karmi.exchange.server.ExchangeServer;
      import java.util.List;

      public class Program {
        public static void main(String[] arguments) throws Exception {
          ExchangeServer.start(Integer.parseInt(arguments[0]));
          ExchangeSpace space = ExchangeSpace.join("//localhost:" + arguments[0] + "/exchange");
          space.put("prices", List.of("tea", "coffee"));
          LoadingCache<String, List<String>> cache =
              Caffeine.newBuilder().maximumSize(100).build(new GroupLoader<List<String>>(space));
          System.out.println("loaded " + cache.get("prices") + cache.get("none"));
          System.out.println("same " + (cache.get("prices") == cache.get("prices")));
          space.close();
          System.exit(0);
        }
      }
      """;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private static String home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  @Test
  public void theLoaderThatIsShownFillsACache() throws Exception {
    Path root = folder.getRoot().toPath();
    Matcher shown =
        LOADER.matcher(Files.readString(Path.of("..", "..", "docs", "exchange-uses.md")));
    assertThat(shown.find()).isTrue();
    Files.writeString(root.resolve("GroupLoader.java"), shown.group(1));
    Files.writeString(root.resolve("Program.java"), PROGRAM);
    String karmi = Stage.AGENT.options.get(0).replaceFirst("^-javaagent:", "");
    String path = String.join(File.pathSeparator, karmi, home(Caffeine.class), root.toString());
    StringWriter said = new StringWriter();
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<String> options = List.of("-d", root.toString(), "-cp", path, "-proc:none");
    boolean compiled =
        javac
            .getTask(
                said,
                null,
                null,
                options,
                null,
                javac
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjects(
                        root.resolve("GroupLoader.java"), root.resolve("Program.java")))
            .call();
    assertThat(compiled).as(said.toString()).isTrue();
    try (Jvm program =
        Jvm.start(
            Path.of(System.getProperty("java.home")),
            path,
            "-Dkarmi.exchange.dir=" + root,
            "Program",
            Integer.toString(FreePort.any()))) {
      assertThat(program.awaitLine("loaded ")).isEqualTo("[tea, coffee]null");
      assertThat(program.awaitLine("same ")).isEqualTo("true");
    }
  }
}
