package io.karmi.uka.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import org.junit.Test;

/** Final fields of a class whose serial form names fields that it does not have. */
public class FinalFieldsOfOtherFormsTest {
  private static final int JDK = Runtime.version().feature();

  /** Writes a field that it does not have. */
  static final class Renamed implements Serializable {
    private static final long serialVersionUID = 1;

    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("amount", int.class), new ObjectStreamField("gone", String.class),
    };

    final int amount;

    Renamed(int amount) {
      this.amount = amount;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("amount", amount);
      fields.put("gone", "text");
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  private static Renamed copied(Renamed object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (Renamed) in.readObject();
    }
  }

  /** As docs/differences.md says: the JDK would warn of reflection. */
  @Test
  public void areReadUpToJdk25AndRefusedWithTheReasonFromThenOnWithoutTheAgent() throws Exception {
    Renamed object = new Renamed(7);
    if (JDK < 26) {
      assertThat(copied(object).amount).isEqualTo(7);
    } else {
      assertThatThrownBy(() -> copied(object))
          .isInstanceOf(InvalidClassException.class)
          .hasMessageContaining("no access to its fields")
          .hasMessageContaining("this JDK offers no default methods for the class");
    }
  }
}
