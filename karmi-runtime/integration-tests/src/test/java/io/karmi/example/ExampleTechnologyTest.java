package io.karmi.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.TechnologyContract;
import io.karmi.technology.Technology;
import io.karmi.technology.UpCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** The technology that the documentation shows is one, and is what it shows. */
public class ExampleTechnologyTest extends TechnologyContract {
  private static final Path PAGE = Path.of("..", "..", "docs", "technologies.md");
  private static final Path SOURCES = Path.of("src", "test", "java", "io", "karmi", "example");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Override
  protected Technology open(UpCall upCall) {
    return new ExampleProvider().open(upCall);
  }

  @Test
  public void pageShowsWhatIsCompiled() throws Exception {
    String sources = "";
    for (String name : new String[] {"Provider", "Technology", "Channel", "TechnologyTest"}) {
      sources += Files.readString(SOURCES.resolve("Example" + name + ".java"));
    }
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    int count = 0;
    while (blocks.find()) {
      for (String part : blocks.group(1).split("\n *// …\n")) {
        assertThat(plain(sources)).contains(plain(part));
      }
      count++;
    }
    assertThat(count).isEqualTo(3);
  }

  private static String plain(String code) {
    return code.replaceAll("\\s+", " ").trim();
  }
}
