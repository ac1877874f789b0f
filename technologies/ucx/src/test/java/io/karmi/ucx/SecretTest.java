package io.karmi.ucx;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is said of a secret that cannot be used. */
public class SecretTest {
  private static final String SETTING = "karmi.ucx.secret";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @After
  public void clear() {
    System.clearProperty(SETTING);
  }

  @Test
  public void fileThatIsNamedAndMissingIsToldAsSuch() {
    Path missing = folder.getRoot().toPath().resolve("none");
    System.setProperty(SETTING, missing.toString());
    assertThatThrownBy(Secret::configured)
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(missing + " (karmi.ucx.secret) does not exist");
  }
}
