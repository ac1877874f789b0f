package io.karmi.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/**
 * Makes a patch of the boot path for the JDK of the build, in a folder to be put beside an
 * assembly: {@code java @folder/java.args …} runs programs on KaRMI. It fits that JDK alone.
 */
@Mojo(name = "boot", defaultPhase = LifecyclePhase.PREPARE_PACKAGE, threadSafe = true)
public final class BootMojo extends CommandMojo {
  private static final String ARGUMENTS = "java.args";

  /** The folder of the patch. */
  @Parameter(defaultValue = "${project.build.directory}/karmi-boot", required = true)
  private File directory;

  /**
   * The absolute path that the folder will have where the program runs, if it is not that of the
   * build.
   */
  @Parameter(property = "karmi.installDirectory")
  private String installDirectory = "";

  /** Swap in this part alone: {@code serialization} or {@code rmi}. */
  @Parameter(property = "karmi.only")
  private String only = "";

  /** Modules of the JDK whose classes are all rewired. */
  @Parameter private List<String> modules = List.of();

  @Override
  void work() throws IOException, MojoExecutionException, MojoFailureException {
    List<String> arguments = new ArrayList<>(List.of("--boot", directory.getPath()));
    if (!only.isEmpty()) {
      arguments.addAll(List.of("--only", only));
    }
    addAll(arguments, "--module", modules);
    run(RETROFIT, arguments);
    if (!installDirectory.isEmpty()) {
      Path file = directory.toPath().resolve(ARGUMENTS);
      String here = directory.toPath().toRealPath().toString();
      Files.writeString(file, Files.readString(file).replace(here, installDirectory));
    }
  }
}
