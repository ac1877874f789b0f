package io.karmi.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.BeforeClass;
import org.junit.Test;

/** Checks every class of every module against the diagrams of docs/architecture.md. */
public class ArchitectureTest {
  /** Generated stubs and skeletons; they live beside their interfaces. */
  private static final Pattern MADE_BY_KARMIC = Pattern.compile(".*_KS(tub|kel)[^/]*\\.class");

  private static List<Diagram> diagrams;
  private static JavaClasses code;

  @BeforeClass
  public static void readDiagramsAndCode() throws IOException {
    diagrams = Diagram.allIn(Files.readString(Path.of("..", "docs", "architecture.md")));
    code =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.matches(MADE_BY_KARMIC))
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
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.karmi..",
            "java..",
            "javax..",
            "jdk..",
            "sun..",
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
