package io.karmi.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StreamCorruptedException;
import org.junit.Test;

/** Methods as numbers. */
public class RemoteInterfaceTest {
  private static RemoteInterface methods(long... hashes) {
    String[] names = new String[hashes.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = "m" + hashes[i] + "()V";
    }
    return new RemoteInterface(new String[] {"A", "B"}, names, hashes);
  }

  @Test
  public void methodIsFoundByItsHash() {
    RemoteInterface methods = methods(30, 10, 20);
    assertThat(methods.methodCount()).isEqualTo(3);
    assertThat(methods.methodNumber(10)).isEqualTo(1);
    assertThat(methods.methodHash(1)).isEqualTo(10);
    assertThat(methods.methodName(1)).isEqualTo("m10()V");
    assertThat(methods.methodNumber(40)).isEqualTo(-1);
    assertThat(methods).hasToString("A, B (3 methods)");
  }

  @Test
  public void fingerprintIsOfTheMethodsAndTheirOrder() {
    assertThat(methods(1, 2).fingerprint())
        .isEqualTo(
            new RemoteInterface(new String[0], new String[2], new long[] {1, 2}).fingerprint())
        .isNotEqualTo(methods(2, 1).fingerprint())
        .isNotEqualTo(methods(1).fingerprint())
        .isNotEqualTo(methods(1, 2, 0).fingerprint());
    assertThat(methods().fingerprint()).isEqualTo(RemoteInterface.NONE.fingerprint());
  }

  @Test
  public void numberOfNoMethodIsRefused() throws StreamCorruptedException {
    RemoteInterface methods = methods(1, 2);
    assertThat(methods.checkMethodNumber(1)).isEqualTo(1);
    assertThatThrownBy(() -> methods.checkMethodNumber(2))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessage("method number 2 of an interface of 2");
    assertThatThrownBy(() -> methods.checkMethodNumber(-1))
        .isInstanceOf(StreamCorruptedException.class);
  }

  @Test
  public void arraysThatItWasMadeOfMayChange() {
    long[] hashes = {1, 2};
    RemoteInterface methods = new RemoteInterface(new String[0], new String[2], hashes);
    hashes[0] = 9;
    assertThat(methods.methodHash(0)).isEqualTo(1);
  }

  @Test
  public void namesAndHashesAreOfTheSameMethods() {
    assertThatThrownBy(() -> new RemoteInterface(new String[0], new String[1], new long[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 method names, but 2 hashes");
  }
}
