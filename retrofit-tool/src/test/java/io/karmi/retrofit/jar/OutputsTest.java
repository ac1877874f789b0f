package io.karmi.retrofit.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Outputs of one run when something goes wrong at the very end. */
public class OutputsTest {
  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void anOutputThatCannotBePlacedTakesTheOthersBack() throws Exception {
    Path root = folder.getRoot().toPath();
    Path replaced = Files.writeString(root.resolve("replaced"), "old");
    try (Outputs outputs = new Outputs()) {
      Files.writeString(outputs.reserve(replaced), "new");
      Files.writeString(outputs.reserve(root.resolve("fresh")), "new");
      outputs.reserve(root.resolve("made/for it")); // never written, so it cannot be moved
      assertThatThrownBy(outputs::place).isInstanceOf(IOException.class);
    }
    assertThat(replaced).hasContent("old");
    assertThat(root.toFile().list()).containsExactly("replaced");
  }

  @Test
  public void outputsAppearTogether() throws Exception {
    Path root = folder.getRoot().toPath();
    Path replaced = Files.writeString(root.resolve("replaced"), "old");
    try (Outputs outputs = new Outputs()) {
      Files.writeString(outputs.reserve(replaced), "new");
      Files.writeString(outputs.reserve(root.resolve("made/fresh")), "new");
      assertThat(replaced).hasContent("old");
      outputs.place();
    }
    assertThat(replaced).hasContent("new");
    assertThat(root.resolve("made/fresh")).hasContent("new");
    assertThat(root.toFile().list()).containsExactlyInAnyOrder("replaced", "made");
  }
}
