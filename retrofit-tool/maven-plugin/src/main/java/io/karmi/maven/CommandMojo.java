package io.karmi.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.inject.Inject;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;

/** A goal that runs a command of {@code karmi.jar}. */
abstract class CommandMojo extends AbstractMojo {
  static final String RETROFIT = "io.karmi.retrofit.cli.KarmiRetrofit";
  static final String KARMIC = "io.karmi.stubgen.cli.Karmic";

  private static final String KARMI = "io.karmi:karmi";

  /** The module that is built. */
  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  MavenProject project;

  @Parameter(defaultValue = "${session}", readonly = true, required = true)
  private MavenSession session;

  @Parameter(defaultValue = "${plugin.artifactMap}", readonly = true, required = true)
  private Map<String, Artifact> pluginArtifacts;

  /** Whether the goal does nothing. */
  @Parameter(property = "karmi.skip", defaultValue = "false")
  private boolean skip;

  @Inject private ToolchainManager toolchains;

  @Override
  public final void execute() throws MojoExecutionException, MojoFailureException {
    if (skip) {
      getLog().info("karmi.skip is set: nothing is done");
      return;
    }
    try {
      work();
    } catch (IOException e) {
      throw new MojoExecutionException(e.toString(), e);
    }
  }

  abstract void work() throws IOException, MojoExecutionException, MojoFailureException;

  /** The jar of the product, in the local repository. */
  final File karmiJar() throws MojoExecutionException {
    Artifact karmi = pluginArtifacts.get(KARMI);
    File jar = karmi == null ? null : karmi.getFile();
    if (jar == null || !jar.isFile()) {
      throw new MojoExecutionException(KARMI + " is no jar in the local repository: " + jar);
    }
    return jar;
  }

  /**
   * Runs a command of {@code karmi.jar} to its end; its lines are the goal's.
   *
   * @return the last line; empty if there is none
   */
  final String run(String command, List<String> arguments)
      throws IOException, MojoExecutionException, MojoFailureException {
    List<String> line = new ArrayList<>();
    line.add(java());
    line.add("-cp");
    line.add(karmiJar().getPath());
    line.add(command);
    line.addAll(arguments);
    getLog().debug(String.join(" ", line));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String last = logOf(process);
      int status = process.waitFor();
      if (status != 0) {
        throw new MojoFailureException(
            last.isEmpty() ? command + " ended with exit status " + status : last);
      }
      return last;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new MojoExecutionException("interrupted while " + command + " ran", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Logs what a process prints until it ends; returns its last line. */
  private String logOf(Process process) throws IOException {
    String last = "";
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        getLog().info(line);
        last = line;
      }
    }
    return last;
  }

  private String java() {
    Toolchain jdk = toolchains.getToolchainFromBuildContext("jdk", session);
    String chosen = jdk == null ? null : jdk.findTool("java");
    return chosen != null
        ? chosen
        : Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** An option, once for each of its values. */
  static void addAll(List<String> arguments, String option, List<String> values) {
    for (String value : values) {
      arguments.add(option);
      arguments.add(value);
    }
  }
}
