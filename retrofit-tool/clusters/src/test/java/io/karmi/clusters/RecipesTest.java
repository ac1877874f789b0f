package io.karmi.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Recipe;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The options of the pages of docs/recipes are those with which the products are tested here. */
public class RecipesTest {
  private static final String JAR = "/opt/karmi/lib/karmi.jar";

  /** The words behind a program that a page starts with the agent, with one of them replaced. */
  static List<String> command(String page, String program, String name, String here)
      throws IOException {
    String agent = "JVM_ARGS=\"-javaagent:" + JAR + "\" ";
    List<String> words = Recipe.read(page).command(agent + program, Map.of(name, here));
    return words.subList(2, words.size());
  }

  private static List<String> options(String page, String variable, Stage stage)
      throws IOException {
    String jar = stage.options.get(0).replaceFirst("^-javaagent:", "");
    String quote = "\"";
    String beginning = variable + "=" + quote + "-javaagent:" + JAR;
    if (stage == Stage.AGENT) {
      beginning += quote;
    }
    List<String> words = Recipe.read(page).command(beginning, Map.of(JAR, jar));
    return words.stream()
        .map(word -> word.replaceFirst("^" + variable + "=", "").replace(quote, ""))
        .toList();
  }

  @Test
  public void pageOfTomcatHasTheOptionsOfTheMembers() throws Exception {
    for (Stage stage : List.of(Stage.AGENT, Stage.UKA)) {
      assertThat(options("tomcat", "CATALINA_OPTS", stage)).isEqualTo(stage.options);
    }
  }

  @Test
  public void pageOfDataGridsHasTheOptionsOfTheMembers() throws Exception {
    for (Stage stage : List.of(Stage.AGENT, Stage.UKA)) {
      assertThat(options("data-grids", "JAVA_OPTS", stage)).isEqualTo(stage.options);
    }
  }
}
