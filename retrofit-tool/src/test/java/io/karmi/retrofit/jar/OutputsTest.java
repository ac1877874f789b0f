package io.karmi.retrofit.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
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

  @Test
  public void runsForOnePlaceDoNotWriteIntoEachOther() throws Exception {
    Path place = folder.getRoot().toPath().resolve("place");
    try (Outputs first = new Outputs();
        Outputs second = new Outputs()) {
      Path ofFirst = Files.writeString(first.reserve(place), "first");
      Files.writeString(second.reserve(place), "a part of the second");
      assertThat(ofFirst).hasContent("first");
      first.place();
      assertThat(place).hasContent("first");
      second.place();
    }
    assertThat(place).hasContent("a part of the second");
    assertThat(folder.getRoot().list()).containsExactly("place");
  }

  @Test
  public void aDiskThatIsFullIsNamedByTheFile() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full));
    try (NamedOutput out = new NamedOutput(full)) {
      assertThatThrownBy(() -> out.write(1))
          .isInstanceOf(FileSystemException.class)
          .hasMessageStartingWith("/dev/full: ");
    }
  }
}
