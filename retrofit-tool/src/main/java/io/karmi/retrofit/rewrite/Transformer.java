package io.karmi.retrofit.rewrite;

import io.karmi.retrofit.rules.EntryPoint;
import io.karmi.retrofit.rules.RetrofitOptions;
import io.karmi.retrofit.rules.RuleSet;
import io.karmi.retrofit.rules.StaticCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.SerialVersionUIDAdder;

/**
 * Rewires class files by a set of rules; the same for every delivery.
 *
 * <p>Thread-safe: class loading is concurrent. No lambdas, as this runs in the agent before the
 * program does.
 */
public final class Transformer {
  private final RuleSet rules;
  private final RetrofitOptions options;
  private final ConstantPool triggers;
  private final ConstantPool types;
  private final ConstantPool loaders = new ConstantPool(Set.of(BootDelegation.METHOD));
  private final ConstantPool reflection = new ConstantPool(ReflectiveCreations.METHODS);

  /** A transformer that applies the rules to the classes that the options select. */
  public Transformer(RuleSet rules, RetrofitOptions options) {
    this.rules = rules;
    this.options = options;
    this.types = new ConstantPool(rules.twins().keySet());
    this.triggers = new ConstantPool(triggersOf(rules));
  }

  private static Set<String> triggersOf(RuleSet rules) {
    Set<String> names = new HashSet<>(rules.twins().keySet());
    for (String name : rules.creations().keySet()) {
      names.add(name);
      names.add(name.replace('/', '.')); // Class.forName
    }
    for (StaticCall call : rules.staticCalls()) {
      names.add(call.owner());
    }
    return names;
  }

  /**
   * Rewires one class of an application.
   *
   * @param files where the classes it mentions are found
   */
  public Outcome transform(byte[] classFile, ClassFiles files) {
    boolean mentions = triggers.isMentionedIn(classFile);
    boolean loads = rules.bootDelegation() && loaders.isMentionedIn(classFile);
    if (!mentions && !loads && !options.weave()) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        if (RuleSet.isKarmi(reader.getClassName())) {
          return next;
        }
        ClassVisitor last = loads ? new BootDelegation(next, files, log) : next;
        WeavingPlan plan = options.weave() ? WeavingPlan.of(reader, files, options) : null;
        ClassVisitor woven = plan == null ? last : new Weaver(last, plan, log);
        ClassVisitor rewired = mentions ? rewiring(reader, woven, classFile, log) : woven;
        return plan == null || plan.declaresSerialVersion
            ? rewired
            : new SerialVersionUIDAdder(Opcodes.ASM9, rewired) {}; // as of the old members
      }
    }.outcome();
  }

  /**
   * Puts the prologues of the rules' entry points into a class of the JDK. Only method bodies
   * change.
   */
  public Outcome transformEntryPoints(String internalName, byte[] classFile) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    if (own.isEmpty()) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        return new EntryPoints(next, own, log);
      }
    }.outcome();
  }

  /**
   * Rewires a class of the JDK, entry points included, for use with that JDK only.
   *
   * @param checker has {@code public static void check(String)}, called with {@code jdk} when the
   *     class is initialized
   */
  public Outcome patch(String internalName, byte[] classFile, Class<?> checker, String jdk) {
    List<EntryPoint> own = rules.entryPointsOf(internalName);
    if (own.isEmpty() && !triggers.isMentionedIn(classFile)) {
      return Outcome.unchanged();
    }
    return new Rewriting(classFile) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        ClassVisitor checked = new InitializationCheck(next, checker, jdk);
        return rewiring(reader, new EntryPoints(checked, own, log), classFile, log);
      }
    }.outcome();
  }

  /**
   * Lets a module read KaRMI, for a rewired jar on a module path.
   *
   * @param moduleInfo the class file of a module descriptor
   */
  public Outcome requireKarmi(byte[] moduleInfo) {
    return new Rewriting(moduleInfo) {
      @Override
      ClassVisitor chain(ClassReader reader, ClassVisitor next, ChangeLog log) {
        return new ModuleRequirement(next, RuleSet.KARMI_MODULE, log);
      }
    }.outcome();
  }

  /**
   * The chain of visitors that replace, unless {@code include} and {@code exclude} keep the class
   * out.
   */
  private ClassVisitor rewiring(
      ClassReader reader, ClassVisitor next, byte[] classFile, ChangeLog log) {
    String name = reader.getClassName();
    if (rules.staysStock(name)) {
      return next;
    }
    if (!rules.rewiredInJdk().contains(name) && !options.selects(name.replace('/', '.'))) {
      return next;
    }
    boolean reflects = !rules.creations().isEmpty() && reflection.isMentionedIn(classFile);
    String superclass = rules.creations().get(reader.getSuperName());
    String overridden =
        superclass == null
            ? null
            : Additions.overriddenBy(reader, reader.getSuperName(), superclass);
    if (overridden != null) {
      log.leaveAlone("its method ".concat(overridden).concat(" would override one of UKA's"));
      return next;
    }
    if (!reflects && !types.isMentionedIn(classFile) && !new Uses(reader).rewired(rules)) {
      return next;
    }
    ClassVisitor chain = next;
    if (!rules.twins().isEmpty()) {
      chain = new Twins(chain, rules, log);
    }
    if (!rules.creations().isEmpty()) {
      chain = new Creations(chain, rules.creations(), log);
    }
    return reflects ? new ReflectiveCreations(chain, rules.creations(), log) : chain;
  }
}
