// An Android library with the recognizer. In settings.gradle.kts: include(":campus"); in the app: implementation(project(":campus"))
plugins {
  id("com.android.library") version "8.7.3"
  id("org.jetbrains.kotlin.android") version "2.0.21"
}

android {
  namespace = "campus"
  compileSdk = 35
  defaultConfig {
    minSdk = 24
    testInstrumentationRunner = "androidx.test.runner.AndroidJUnitRunner"
  }
  androidResources { noCompress += "tflite" }
  sourceSets["main"].assets.srcDir(layout.buildDirectory.dir("campusAssets"))
  sourceSets["androidTest"].assets.srcDir(layout.buildDirectory.dir("goldenAssets"))
}

kotlin { jvmToolchain(17) }

val campusAssets by tasks.registering(Sync::class) {
  from(projectDir) { include("campus.tflite", "export.json", "campus.geojson", "place.json") }
  into(layout.buildDirectory.dir("campusAssets"))
}
val goldenAssets by tasks.registering(Sync::class) {
  from(projectDir) { include("golden/**") }
  into(layout.buildDirectory.dir("goldenAssets"))
}
tasks.named("preBuild") { dependsOn(campusAssets, goldenAssets) }

dependencies {
  implementation("com.google.mediapipe:tasks-vision:0.10.21")
  implementation("androidx.exifinterface:exifinterface:1.3.7")
  androidTestImplementation("androidx.test:runner:1.6.2")
  androidTestImplementation("androidx.test.ext:junit:1.2.1")
}
