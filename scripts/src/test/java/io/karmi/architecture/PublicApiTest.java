package io.karmi.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/** What those who depend on KaRMI are told: its public packages, and names of modules. */
public class PublicApiTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SECTION = Pattern.compile("(?s)\n## Public API\n(.*?)\n## ");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(io\\.karmi[a-z.]*)` \\|");
  private static final Pattern INCLUDE = Pattern.compile("<include>(io\\.karmi[a-z.]*)</include>");
  private static final Pattern PACKAGING = Pattern.compile("<packaging>pom</packaging>");
  private static final Pattern MODULE = Pattern.compile("<module\\.name>(.*)</module\\.name>");
  private static final Pattern LEGAL = Pattern.compile("io\\.karmi(\\.[a-z]+)*");

  private static List<String> all(Pattern pattern, String text) {
    List<String> found = new ArrayList<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static List<String> publicPackages() throws IOException {
    Matcher section = SECTION.matcher(Files.readString(ROOT.resolve("docs/public-api.md")));
    assertThat(section.find()).as("docs/public-api.md has the section").isTrue();
    List<String> packages = all(ROW, section.group(1));
    assertThat(packages).isNotEmpty();
    return packages;
  }

  /** All poms of the build, but those of what the build has made. */
  private static List<Path> poms() throws IOException {
    List<Path> poms = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped =
                name.equals("target") || name.equals("src") || name.matches("\\.[^.].*");
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().equals("pom.xml")) {
              poms.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return poms;
  }

  @Test
  public void comparedPackagesAreThoseOfTheDocument() throws IOException {
    String pom = Files.readString(Path.of("pom.xml"));
    assertThat(all(INCLUDE, pom)).containsExactlyElementsOf(publicPackages());
  }

  @Test
  public void publicPackagesAreThereAndSayWhatTheyAre() throws IOException {
    for (String name : publicPackages()) {
      String page = name.replace('.', '/') + "/package-info.java";
      List<Path> found = new ArrayList<>();
      for (Path pom : poms()) {
        Path candidate = pom.resolveSibling("src/main/java").resolve(page);
        if (Files.exists(candidate)) {
          found.add(candidate);
        }
      }
      assertThat(found).as(page).hasSize(1);
    }
  }

  @Test
  public void everyJarHasItsOwnModuleName() throws IOException {
    Map<String, Path> names = new TreeMap<>();
    for (Path pom : poms()) {
      String text = Files.readString(pom);
      if (!PACKAGING.matcher(text).find()) {
        List<String> name = all(MODULE, text);
        assertThat(name).as("<module.name> in the properties of " + pom).hasSize(1);
        assertThat(name.get(0)).as(pom.toString()).matches(LEGAL);
        assertThat(names.put(name.get(0), pom)).as("second " + name).isNull();
      }
    }
    assertThat(names).hasSizeGreaterThan(8);
  }

  @Test
  public void noPackageIsInTwoModules() throws IOException {
    Map<String, Path> owners = new TreeMap<>();
    for (Path pom : poms()) {
      Path sources = pom.resolveSibling("src/main/java");
      if (Files.isDirectory(sources)) {
        TreeSet<String> packages = new TreeSet<>();
        try (Stream<Path> files = Files.walk(sources)) {
          files
              .filter(file -> file.toString().endsWith(".java"))
              .forEach(file -> packages.add(sources.relativize(file.getParent()).toString()));
        }
        for (String name : packages) {
          assertThat(owners.put(name, pom)).as(name + " is in " + pom + ", and in").isNull();
        }
      }
    }
    assertThat(owners).hasSizeGreaterThan(20);
  }
}
