package io.karmi.uka.platform;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeNotNull;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.Test;

public class UnsafeMethodsTest {
  @Test
  public void nullIsRefusedAndDoesNotCrashTheJvm() {
    UnsafeMethods unsafe = UnsafeMethods.any();
    assumeNotNull(unsafe);
    List<ThrowingCallable> uses =
        List.of(
            () -> unsafe.get(null, 16, 'I'),
            () -> unsafe.put(null, 16, 'J', 1),
            () -> unsafe.getReference(null, 16),
            () -> unsafe.putReference(null, 16, "value"));
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(NullPointerException.class);
    }
  }
}
