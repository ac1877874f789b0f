package io.karmi.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks every class of every module against the diagrams of docs/architecture.md. */
public class ArchitectureTest {
  /** Generated stubs and skeletons; they live beside their interfaces. */
  private static final Pattern MADE_BY_KARMIC = Pattern.compile(".*_KS(tub|kel)[^/]*\\.class");

  /** The libraries that the jar of karmic brings with it, under names of its own. */
  private static final Pattern RELOCATED = Pattern.compile(".*/io/karmi/shaded/.*");

  /** Where docs/architecture.md has no limit of its own for a package. */
  private static final int MOST_CLASSES_IN_A_CYCLE = 7;

  /** Files of a package, where docs/architecture.md has no limit of its own for it. */
  private static final int MOST_FILES = 30;

  private static String page;

  /** docs/public-api.md. */
  private static String api;

  private static List<Diagram> diagrams;
  private static JavaClasses code;

  @BeforeClass
  public static void readDiagramsAndCode() throws IOException {
    page = Files.readString(Path.of("..", "docs", "architecture.md"));
    api = Files.readString(Path.of("..", "docs", "public-api.md"));
    diagrams = Diagram.allIn(page);
    code =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.matches(MADE_BY_KARMIC))
            .withImportOption(location -> !location.matches(RELOCATED))
            .importPackages("io.karmi");
  }

  @Test
  public void everyPartHasADiagram() {
    assertThat(diagrams)
        .extracting(Diagram::base)
        .contains("io.karmi", "io.karmi.uka", "io.karmi.stubgen", "io.karmi.retrofit");
  }

  @Test
  public void everyPackageStandsInItsDiagrams() {
    Set<String> missing = new TreeSet<>();
    for (JavaClass type : code) {
      for (Diagram diagram : diagrams) {
        String name = type.getPackageName();
        if (diagram.covers(name) && diagram.nodeOf(name) == null) {
          missing.add(name + " in the diagram of " + diagram.base());
        }
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  public void importsFollowTheArrows() {
    List<String> violations = new ArrayList<>();
    for (Diagram diagram : diagrams) {
      for (String node : diagram.arrows().keySet()) {
        EvaluationResult result = ruleOf(diagram, node).evaluate(code);
        if (result.hasViolation()) {
          violations.add(result.getFailureReport().toString());
        }
      }
    }
    assertThat(violations).isEmpty();
  }

  @Test
  public void everyNodeHasClasses() {
    Set<String> empty = new TreeSet<>();
    for (Diagram diagram : diagrams) {
      for (String node : diagram.arrows().keySet()) {
        if (code.stream().noneMatch(type -> node.equals(nodeOf(diagram, type)))) {
          empty.add(node + " of " + diagram.base());
        }
      }
    }
    assertThat(empty).as("nodes that stand for no class: remove them").isEmpty();
  }

  @Test
  public void everyArrowIsUsed() {
    Set<String> unused = new TreeSet<>();
    for (Diagram diagram : diagrams) {
      Set<String> used = arrowsOf(diagram);
      diagram
          .arrows()
          .forEach(
              (from, targets) ->
                  targets.stream()
                      .map(to -> from + " --> " + to)
                      .filter(arrow -> !used.contains(arrow))
                      .forEach(arrow -> unused.add(arrow + " of " + diagram.base())));
    }
    assertThat(unused).as("arrows that no import needs: remove them").isEmpty();
  }

  /** The arrows that the code needs. */
  private static Set<String> arrowsOf(Diagram diagram) {
    Set<String> arrows = new TreeSet<>();
    for (JavaClass type : code) {
      String from = nodeOf(diagram, type);
      if (from != null) {
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String to = nodeOf(diagram, dependency.getTargetClass());
          if (to != null && !to.equals(from)) {
            arrows.add(from + " --> " + to);
          }
        }
      }
    }
    return arrows;
  }

  @Test
  public void cyclesOfClassesStayWithinTheirLimits() {
    Map<String, Integer> limits = Diagram.cycleLimitsIn(page);
    Map<String, Set<String>> tooLarge = Cycles.largestByPackage(code);
    tooLarge
        .entrySet()
        .removeIf(
            each ->
                each.getValue().size()
                    <= limits.getOrDefault(each.getKey(), MOST_CLASSES_IN_A_CYCLE));
    assertThat(tooLarge).as("classes that need each other, beyond their limits").isEmpty();
  }

  @Test
  public void limitsOfCyclesAreOfPackagesThatNeedThem() {
    Map<String, Set<String>> largest = Cycles.largestByPackage(code);
    Diagram.cycleLimitsIn(page)
        .forEach(
            (name, limit) ->
                assertThat(largest.getOrDefault(name, Set.of()))
                    .as("the largest cycle of %s: its limit only ever falls", name)
                    .hasSizeGreaterThan(MOST_CLASSES_IN_A_CYCLE));
  }

  @Test
  public void packagesStayWithinTheirSizes() {
    Map<String, Integer> limits = Diagram.sizeLimitsIn(page);
    Map<String, Set<String>> tooLarge = filesByPackage();
    tooLarge
        .entrySet()
        .removeIf(each -> each.getValue().size() <= limits.getOrDefault(each.getKey(), MOST_FILES));
    assertThat(tooLarge).as("files of packages that are too large: divide them").isEmpty();
  }

  @Test
  public void limitsOfSizesAreOfPackagesThatNeedThem() {
    Map<String, Set<String>> files = filesByPackage();
    Diagram.sizeLimitsIn(page)
        .forEach(
            (name, limit) ->
                assertThat(files.getOrDefault(name, Set.of()))
                    .as("files of %s: its limit only ever falls", name)
                    .hasSizeGreaterThan(MOST_FILES));
  }

  /** The source files of each package, by the names of their classes. */
  private static Map<String, Set<String>> filesByPackage() {
    Map<String, Set<String>> files = new TreeMap<>();
    for (JavaClass type : code) {
      type.getSource()
          .flatMap(Source::getFileName)
          .ifPresent(
              file ->
                  files.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>()).add(file));
    }
    return files;
  }

  /** Constructors may: KaRMI itself calls those. */
  @Test
  public void publicApiNamesNoInternalType() {
    Set<String> published = Diagram.publicPackagesIn(api);
    Set<String> leaks = new TreeSet<>();
    for (JavaClass type : code) {
      if (published.contains(type.getPackageName()) && isPublished(type)) {
        for (JavaMember member : type.getMembers()) {
          if (isPublished(member.getModifiers()) && !(member instanceof JavaConstructor)) {
            member.getAllInvolvedRawTypes().stream()
                .map(JavaClass::getBaseComponentType)
                .filter(each -> each.getPackageName().startsWith("io.karmi"))
                .filter(each -> !published.contains(each.getPackageName()))
                .forEach(each -> leaks.add(member.getFullName() + " names " + each.getName()));
          }
        }
      }
    }
    assertThat(published).contains("io.karmi", "io.karmi.uka");
    assertThat(leaks).isEmpty();
  }

  private static boolean isPublished(JavaClass type) {
    return isPublished(type.getModifiers())
        && type.getEnclosingClass().map(ArchitectureTest::isPublished).orElse(true);
  }

  private static boolean isPublished(Set<JavaModifier> modifiers) {
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  @Test
  public void arrowsRunDownOnly() {
    for (Diagram diagram : diagrams) {
      assertThat(diagram.nodeOnCycle()).as("cycle in the diagram of " + diagram.base()).isNull();
    }
  }

  @Test
  public void whatGoesOnTheBootPathNeedsOnlyTheJdkAsmAndCommonsCli() {
    classes()
        .that()
        .resideInAPackage("io.karmi..")
        .and()
        .resideOutsideOfPackage("io.karmi.benchmarks..")
        .and()
        .resideOutsideOfPackage("io.karmi.ucx..")
        .and()
        .resideOutsideOfPackage("io.karmi.opentelemetry..")
        .and()
        .resideOutsideOfPackage("io.karmi.exchange.zookeeper..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.karmi..",
            "java..",
            "javax..",
            "jdk..",
            "sun..",
            "com.sun.management..",
            "org.objectweb.asm..",
            "org.apache.commons.cli..",
            "org.jspecify.annotations..")
        .check(code);
  }

  @Test
  public void theProgramsThatAreMeasuredImportOnlyJava() {
    classes()
        .that()
        .resideInAnyPackage(
            "io.karmi.benchmarks.kernels..",
            "io.karmi.benchmarks.applications..",
            "io.karmi.benchmarks.measure..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "org.jspecify.annotations..",
            "io.karmi.benchmarks.kernels..",
            "io.karmi.benchmarks.applications..",
            "io.karmi.benchmarks.measure..",
            "io.karmi.benchmarks.payloads..")
        .check(code);
  }

  private static ArchRule ruleOf(Diagram diagram, String node) {
    return classes()
        .that(in(diagram, node))
        .should()
        .onlyDependOnClassesThat(allowedFrom(diagram, node))
        .allowEmptyShould(true)
        .because("docs/architecture.md has no such arrow");
  }

  private static DescribedPredicate<JavaClass> in(Diagram diagram, String node) {
    return describe(
        "belong to '" + node + "' of " + diagram.base(),
        type -> node.equals(nodeOf(diagram, type)));
  }

  private static DescribedPredicate<JavaClass> allowedFrom(Diagram diagram, String node) {
    return describe(
        "belong to " + diagram.arrows().get(node),
        type -> {
          String target = nodeOf(diagram, type);
          return target == null || diagram.allows(node, target);
        });
  }

  private static String nodeOf(Diagram diagram, JavaClass type) {
    String name = type.getBaseComponentType().getPackageName();
    return diagram.covers(name) ? diagram.nodeOf(name) : null;
  }
}
