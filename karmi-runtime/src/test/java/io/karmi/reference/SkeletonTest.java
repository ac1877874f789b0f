package io.karmi.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.id.RemoteInterface;
import io.karmi.marshal.CallInput;
import io.karmi.marshal.CallOutput;
import java.rmi.Remote;
import java.rmi.UnmarshalException;
import org.junit.Test;

/** Numbers of methods, where caller and callee count differently. */
public class SkeletonTest {
  private static RemoteInterface methods(long... hashes) {
    String[] names = new String[hashes.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = "m" + hashes[i] + "()V";
    }
    return new RemoteInterface(new String[] {"Some"}, names, hashes);
  }

  private static final Skeleton SKELETON =
      new Skeleton(methods(40, -3, 7, Long.MIN_VALUE)) {
        @Override
        public void upCall(Remote target, int methodNumber, CallInput in, CallOutput out) {}
      };

  @Test
  public void callersNumberIsTranslatedByHash() throws Exception {
    RemoteInterface caller = methods(7, Long.MIN_VALUE, 1, 40, -3);
    assertThat(SKELETON.methodNumber(caller, 0)).isEqualTo(2);
    assertThat(SKELETON.methodNumber(caller, 1)).isEqualTo(3);
    assertThat(SKELETON.methodNumber(caller, 3)).isZero();
    assertThat(SKELETON.methodNumber(caller, 4)).isEqualTo(1);
    assertThatThrownBy(() -> SKELETON.methodNumber(caller, 2))
        .isInstanceOf(UnmarshalException.class)
        .hasMessageContaining("unrecognized method hash");
  }

  @Test
  public void interfacesOfManyMethodsInTurnCostNoMoreThanTheirCalls() throws Exception {
    long[] hashes = new long[65_536];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = 1000 + i;
    }
    hashes[9] = 7;
    RemoteInterface one = methods(hashes);
    hashes[10] = 1;
    RemoteInterface other = methods(hashes);
    long begun = System.nanoTime();
    for (int i = 0; i < 100_000; i++) {
      assertThatNumber(SKELETON.methodNumber(i % 2 == 0 ? one : other, 9));
    }
    assertThat(System.nanoTime() - begun)
        .as("a table for each call would be 26 billion entries")
        .isLessThan(20_000_000_000L);
  }

  private static void assertThatNumber(int number) {
    if (number != 2) {
      throw new AssertionError("number " + number);
    }
  }
}
