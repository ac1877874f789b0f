package io.karmi.benchmarks.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.Test;

public class PayloadTest {
  @Test
  public void everyPayloadSurvivesACopy() throws Exception {
    for (Payload payload : Payload.values()) {
      assertThat(payload.isEqualTo(copy(payload.create()))).as(payload.title()).isTrue();
    }
  }

  @Test
  public void noPayloadEqualsAnother() {
    for (Payload one : Payload.values()) {
      for (Payload other : Payload.values()) {
        assertThat(one.isEqualTo(other.create()))
            .as("%s and %s", one.title(), other.title())
            .isEqualTo(one == other);
      }
    }
  }

  @Test
  public void aChangedNodeMakesAnotherTree() {
    assertThat(Tree.ofSize(15)).isEqualTo(Tree.ofSize(15)).isNotEqualTo(Tree.ofSize(14));
    assertThat(new ThirtyTwoInts(1)).isNotEqualTo(new ThirtyTwoInts(2));
    assertThat(new FourInts(1)).isNotEqualTo(new FourInts(2));
  }

  @Test
  public void titlesFindTheirPayload() {
    for (Payload payload : Payload.values()) {
      assertThat(Payloads.ofTitle(payload.title())).isSameAs(payload);
    }
  }

  /** What a user adds. */
  public static final class Words implements PayloadFactory {
    @Override
    public String title() {
      return "two words";
    }

    @Override
    public Object create() {
      return new String[] {"two", "words"};
    }
  }

  @Test
  public void aClassOfTheUsersAddsAPayload() {
    System.setProperty(Payloads.PROPERTY, Words.class.getName());
    try {
      PayloadFactory words = Payloads.ofTitle("two words");
      assertThat(words.isEqualTo(new String[] {"two", "words"})).isTrue();
      assertThat(words.isEqualTo(new String[] {"two"})).isFalse();
      assertThat(Payloads.all()).hasSize(Payload.values().length + 1);
    } finally {
      System.clearProperty(Payloads.PROPERTY);
    }
  }

  @Test
  public void aClassThatMakesNoPayloadIsNamed() {
    System.setProperty(Payloads.PROPERTY, "java.lang.Object");
    try {
      assertThatThrownBy(Payloads::all)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("java.lang.Object");
    } finally {
      System.clearProperty(Payloads.PROPERTY);
    }
  }

  private static Object copy(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }
}
