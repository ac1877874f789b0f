package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InvalidObjectException;
import org.junit.Test;

/** Objects of peers that the JDK remembers. */
public class RememberedObjectsTest {
  private static final int MOST = 1 << 16;

  @Test
  public void haveABoundAndThoseThatAreKnownPass() throws InvalidObjectException {
    RememberedObjects objects = new RememberedObjects(MOST);
    objects.take("INFO 800");
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < MOST; i++) {
                objects.take("level" + i);
              }
            })
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("of " + MOST);
    objects.take("INFO 800");
  }

  @Test
  public void aLongNameTakesTheRoomOfMany() {
    assertThatThrownBy(() -> new RememberedObjects(MOST).take("x".repeat(MOST)))
        .isInstanceOf(InvalidObjectException.class);
  }
}
