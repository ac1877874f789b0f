package io.karmi.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import javax.inject.Inject;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProjectHelper;
import org.jspecify.annotations.Nullable;

/**
 * Rewires the packaged jar to KaRMI: a jar of classes, or one with jars inside, such as Spring
 * Boot's. The rewired jar is attached beside the first one, and {@code karmi.jar} copied beside it,
 * where its manifest names it.
 */
@Mojo(name = "retrofit", defaultPhase = LifecyclePhase.PACKAGE, threadSafe = true)
public final class RetrofitMojo extends CommandMojo {
  /** A plugin whose goal {@code repackage} replaces the module's jar by a fat one. */
  private static final String SPRING_BOOT = "org.springframework.boot:spring-boot-maven-plugin";

  /** The jar to rewire; by default the module's own. */
  @Parameter private File input;

  /** Classifier of the rewired jar. */
  @Parameter(defaultValue = "karmi", required = true)
  private String classifier;

  /** Whether the rewired jar takes the place of the module's own, instead of being attached. */
  @Parameter(property = "karmi.replace", defaultValue = "false")
  private boolean replace;

  /** Swap in this part alone: {@code serialization} or {@code rmi}. */
  @Parameter(property = "karmi.only")
  private String only = "";

  /** Rewire only classes that match, such as {@code com.acme.*}. */
  @Parameter private List<String> includes = List.of();

  /** Leave classes that match. */
  @Parameter private List<String> excludes = List.of();

  /** Whether serializable classes get marshalers of their own. */
  @Parameter(property = "karmi.weave", defaultValue = "false")
  private boolean weave;

  @Inject private MavenProjectHelper helper;

  /** The module's own jar, when it is what will be shipped. */
  private File packaged() throws IOException, MojoFailureException {
    File jar = project.getArtifact().getFile();
    if (jar == null || !jar.isFile()) {
      throw new MojoFailureException(
          "no packaged jar to rewire ("
              + jar
              + "): run this goal in the phase package, after"
              + " what makes the jar");
    }
    if (isReplacedLater(jar, project.getPlugin(SPRING_BOOT))) {
      throw new MojoFailureException(
          jar
              + " is not yet Spring Boot's executable jar: name karmi-maven-plugin behind"
              + " spring-boot-maven-plugin in the pom of this module, also where a parent's has it");
    }
    return jar;
  }

  /** Whether a goal of Spring Boot's is to come that puts a fat jar in the place of this one. */
  static boolean isReplacedLater(File jar, @Nullable Plugin springBoot) throws IOException {
    return springBoot != null
        && springBoot.getExecutions().stream().anyMatch(RetrofitMojo::replacesTheJar)
        && !isOfSpringBoot(jar);
  }

  private static boolean replacesTheJar(PluginExecution execution) {
    String configuration = String.valueOf(execution.getConfiguration());
    return execution.getGoals().contains("repackage")
        && !configuration.contains("<classifier>")
        && !configuration.contains("<skip>");
  }

  private static boolean isOfSpringBoot(File jar) throws IOException {
    try (JarFile opened = new JarFile(jar)) {
      Manifest manifest = opened.getManifest();
      return manifest != null
          && manifest.getMainAttributes().getValue("Spring-Boot-Version") != null;
    }
  }

  @Override
  void work() throws IOException, MojoExecutionException, MojoFailureException {
    if (input == null && project.getPackaging().equals("pom")) {
      getLog().debug("a module of packaging pom has no jar: nothing is done");
      return;
    }
    File from = input != null ? input : packaged();
    if (!from.isFile()) {
      throw new MojoFailureException("the jar of the parameter input is not there: " + from);
    }
    Path folder = Path.of(project.getBuild().getDirectory());
    String type = from.getName().replaceFirst(".*\\.", "");
    String name = project.getBuild().getFinalName() + "-" + classifier + "." + type;
    Path to = folder.resolve(name);
    Files.deleteIfExists(to);
    List<String> arguments = new ArrayList<>();
    if (!only.isEmpty()) {
      arguments.addAll(List.of("--only", only));
    }
    addAll(arguments, "--include", includes);
    addAll(arguments, "--exclude", excludes);
    if (weave) {
      arguments.add("--weave");
    }
    arguments.addAll(List.of(from.getPath(), "-o", to.toString()));
    run(RETROFIT, arguments);
    Files.copy(
        karmiJar().toPath(), folder.resolve("karmi.jar"), StandardCopyOption.REPLACE_EXISTING);
    getLog().info((replace ? from : to) + " is rewritten; karmi.jar is in " + folder);
    if (replace) {
      Files.move(to, from.toPath(), StandardCopyOption.REPLACE_EXISTING);
    } else {
      helper.attachArtifact(project, type, classifier, to.toFile());
    }
  }
}
