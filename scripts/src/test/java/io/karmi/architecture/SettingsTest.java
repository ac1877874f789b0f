package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.settings.NumberSetting;
import io.karmi.settings.Setting;
import io.karmi.settings.Settings;
import io.karmi.settings.WordSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * docs/settings.md has the settings of the code, and no others.
 *
 * <p>{@code -Dkarmi.test.writeSettings=true} writes its tables instead of comparing them.
 */
public class SettingsTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path PAGE = DOCS.resolve("settings.md");
  private static final String OWN =
      "<!-- written from io.karmi.settings.Settings by SettingsTest -->\n";
  private static final String OF_JDK =
      "<!-- the JDK's, written from io.karmi.settings.Settings by SettingsTest -->\n";
  private static final String END = "<!-- end of what is written -->";

  private static final Pattern PROPERTY =
      Pattern.compile("(?:getProperty|getBoolean|getInteger|getLong)\\(\"((karmi|uka)\\.[^\"]*)\"");
  private static final Pattern MENTION =
      Pattern.compile("`-?D?((?:karmi|uka)\\.[a-z][a-zA-Z.]*)[=`]");

  private static List<Setting> rows(Predicate<Setting> which) {
    return Settings.all().stream()
        .filter(which)
        .sorted(Comparator.comparing(Setting::name))
        .toList();
  }

  private static String ownTable() {
    StringBuilder table =
        new StringBuilder(
            "| setting | allowed | default | security | meaning | more |\n|---|---|---|---|---|---|\n");
    for (Setting each : rows(row -> row.isOwn() && row.isDocumented())) {
      table
          .append("| `" + each.name() + "` | " + allowed(each) + " | " + each.byDefault() + " | ")
          .append((each.isOfSecurity() ? "yes" : "") + " | " + each.meaning() + " | ")
          .append("[" + pageOf(each) + "](" + each.page() + ") |\n");
    }
    return table.toString();
  }

  /** Those in rows of their own, and those that say the same as an undocumented one. */
  private static String tableOfJdk() {
    Map<String, String> lines = new TreeMap<>();
    for (Setting each : rows(row -> !row.isOwn())) {
      lines.put(each.name(), line(each, each.byDefault()));
    }
    for (Setting each : rows(Setting::isOwn)) {
      for (String other : each.others()) {
        String byDefault = each.byDefault().replaceAll(" \\(`sun.*\\)", "");
        String row = "| `" + other + line(each, byDefault).substring(each.name().length() + 3);
        String alias = each.isDocumented() ? "" : "; also by the name `" + each.name() + "`";
        lines.put(other, row.replace(each.meaning(), each.meaning() + alias));
      }
    }
    return "| property | allowed | default | meaning | more |\n|---|---|---|---|---|\n"
        + String.join("", lines.values());
  }

  private static String line(Setting each, String byDefault) {
    return "| `"
        + each.name()
        + "` | "
        + allowed(each)
        + " | "
        + byDefault
        + " | "
        + each.meaning()
        + " | ["
        + pageOf(each)
        + "]("
        + each.page()
        + ") |\n";
  }

  private static String pageOf(Setting each) {
    return each.page().replaceAll("\\.md.*", "");
  }

  private static String allowed(Setting each) {
    if (each instanceof WordSetting words) {
      return words.words().stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
    }
    return each instanceof NumberSetting ? "number" : "text";
  }

  private static String between(String page, String from) {
    int begin = page.indexOf(from) + from.length();
    return page.substring(begin, page.indexOf(END, begin));
  }

  @Test
  public void tablesOfThePageAreThoseOfTheCode() throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).contains(OWN, OF_JDK);
    if (Boolean.getBoolean("karmi.test.writeSettings")) {
      String own = page.replace(OWN + between(page, OWN), OWN + ownTable());
      Files.writeString(PAGE, own.replace(OF_JDK + between(own, OF_JDK), OF_JDK + tableOfJdk()));
      return;
    }
    String remedy = "write it with -Dkarmi.test.writeSettings=true";
    assertThat(between(page, OWN)).as(remedy).isEqualTo(ownTable());
    assertThat(between(page, OF_JDK)).as(remedy).isEqualTo(tableOfJdk());
  }

  @Test
  public void usersHaveAtMostTwentyFiveToMaster() {
    /* Who joins no exchange space has none of its settings to master. */
    assertThat(
            rows(
                row ->
                    row.isOwn() && row.isDocumented() && !row.name().startsWith("karmi.exchange.")))
        .hasSizeBetween(15, 25);
  }

  @Test
  public void pagesOfTheRowsAreThere() throws IOException {
    for (Setting each : rows(Setting::isDocumented)) {
      String[] link = each.page().split("#");
      String page = Files.readString(DOCS.resolve(link[0]));
      if (link.length > 1) {
        List<String> anchors = new ArrayList<>();
        page.lines()
            .filter(line -> line.startsWith("#"))
            .forEach(line -> anchors.add(anchor(line)));
        assertThat(anchors).as(each.name()).contains(link[1]);
      }
    }
  }

  private static String anchor(String heading) {
    return heading
        .replaceAll("^#+ ", "")
        .toLowerCase(java.util.Locale.ROOT)
        .replaceAll("[^a-z0-9 -]", "")
        .replace(' ', '-');
  }

  @Test
  public void pagesNameNoOtherSettings() throws IOException {
    Set<String> known =
        rows(Setting::isOwn).stream().map(Setting::name).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    try (Stream<Path> pages = Files.list(DOCS)) {
      for (Path page : (Iterable<Path>) pages.filter(Files::isRegularFile)::iterator) {
        Matcher mention = MENTION.matcher(Files.readString(page));
        while (mention.find()) {
          String name = mention.group(1);
          if (!known.contains(name)
              && !name.startsWith("karmi.test.")
              && !name.matches("karmi\\.(jar|tls|tsl|serialfilter|)|uka\\.")) {
            unknown.add(page.getFileName() + ": " + name);
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  public void productReadsItsPropertiesFromTheRegistryOnly() throws IOException {
    Set<String> others = new TreeSet<>();
    for (String module :
        List.of("uka-serialization", "karmi-runtime", "karmi-stubgen", "technologies")) {
      try (Stream<Path> files = Files.walk(Path.of("..", module))) {
        for (Path file :
            (Iterable<Path>)
                files.filter(each -> each.toString().matches(".*/src/main/java/.*\\.java"))
                    ::iterator) {
          Matcher found = PROPERTY.matcher(Files.readString(file));
          while (found.find()) {
            if (!found.group(1).matches("karmi\\.(test|bench)\\..*|karmi\\.jar")) {
              others.add(file.getFileName() + ": " + found.group(1));
            }
          }
        }
      }
    }
    assertThat(others).isEmpty();
  }
}
