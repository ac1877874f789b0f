package io.karmi.maven;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Generates stubs and skeletons of the remote interfaces of this module and of its dependencies,
 * into the classes of the module.
 */
@Mojo(
    name = "karmic",
    defaultPhase = LifecyclePhase.PROCESS_CLASSES,
    requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME,
    threadSafe = true)
public final class KarmicMojo extends CommandMojo {
  private static final String OWN = "io.karmi";

  /** Where the module's classes are. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  private File classesDirectory;

  /** Where stubs and skeletons go. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", required = true)
  private File outputDirectory;

  /**
   * Dependencies whose remote interfaces get stubs too, as {@code groupId:artifactId}; {@code *}
   * stands for any characters. All by default. KaRMI's own jars have theirs already.
   */
  @Parameter private List<String> dependencies = List.of("*");

  /** Whether GraalVM's reachability metadata is written, too. */
  @Parameter(property = "karmi.nativeImage", defaultValue = "false")
  private boolean nativeImage;

  @Override
  void work() throws IOException, MojoExecutionException, MojoFailureException {
    List<String> scanned = new ArrayList<>();
    if (classesDirectory.isDirectory()) {
      scanned.add(classesDirectory.getPath());
    }
    List<String> path = new ArrayList<>(List.of(classesDirectory.getPath()));
    for (Artifact each : project.getArtifacts()) {
      if (each.getFile() != null) {
        path.add(each.getFile().getPath());
        if (!OWN.equals(each.getGroupId())
            && isNamed(each.getGroupId() + ":" + each.getArtifactId())) {
          scanned.add(each.getFile().getPath());
        }
      }
    }
    if (scanned.isEmpty()) {
      getLog().info("no classes: no stubs");
      return;
    }
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", outputDirectory.getPath()));
    arguments.addAll(List.of("-cp", String.join(File.pathSeparator, path), "-verbose", "-nowarn"));
    if (nativeImage) {
      arguments.add("--native-image");
    }
    addAll(arguments, "--scan", scanned);
    if (run(KARMIC, arguments).isEmpty()) {
      getLog().info("no new stub: no interface here extends java.rmi.Remote, or all have theirs");
    }
  }

  private boolean isNamed(String dependency) {
    return dependencies.stream().anyMatch(pattern -> dependency.matches(expression(pattern)));
  }

  /** The regular expression of a pattern in which only {@code *} is special. */
  private static String expression(String pattern) {
    return ("\\Q" + pattern + "\\E").replace("*", "\\E.*\\Q");
  }
}
