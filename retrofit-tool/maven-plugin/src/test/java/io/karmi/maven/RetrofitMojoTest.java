package io.karmi.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RetrofitMojoTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** A plugin of a parent's pom comes before those of the module, also before Spring Boot's. */
  @Test
  public void jarThatSpringBootIsGoingToReplaceIsNotTakenForTheOneThatIsShipped() throws Exception {
    File plain = jar("Created-By");
    File fat = jar("Spring-Boot-Version");
    Plugin repackages = springBoot("repackage", null);
    assertThat(RetrofitMojo.isReplacedLater(plain, repackages)).isTrue();
    assertThat(RetrofitMojo.isReplacedLater(fat, repackages)).as("it has been replaced").isFalse();
    assertThat(RetrofitMojo.isReplacedLater(plain, null)).as("no Spring Boot").isFalse();
    assertThat(RetrofitMojo.isReplacedLater(plain, springBoot("run", null))).isFalse();
    assertThat(RetrofitMojo.isReplacedLater(plain, springBoot("repackage", "<classifier>")))
        .as("the fat jar lies beside it")
        .isFalse();
  }

  private static Plugin springBoot(String goal, String configuration) {
    PluginExecution execution = new PluginExecution();
    execution.addGoal(goal);
    execution.setConfiguration(configuration);
    Plugin plugin = new Plugin();
    plugin.addExecution(execution);
    return plugin;
  }

  private File jar(String attribute) throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue(attribute, "1");
    File jar = folder.newFile(attribute + ".jar");
    try (OutputStream out = new FileOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
    return jar;
  }
}
